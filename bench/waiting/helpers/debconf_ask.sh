#!/bin/sh
# asks two debconf questions with the front end named by $1, with a database of its own in the current folder
if [ -z "$DEBCONF_SYSTEMRC" ]; then
  printf 'Config: c\nTemplates: t\n\nName: c\nDriver: File\nFilename: %s/config.dat\n\nName: t\nDriver: File\nFilename: %s/templates.dat\n' "$PWD" "$PWD" > rc
  printf 'Template: tool/size\nType: string\nDescription: What size?\n\nTemplate: tool/keep\nType: boolean\nDefault: true\nDescription: Keep old files?\n' > tool.templates
  export DEBCONF_SYSTEMRC="$PWD/rc" DEBIAN_FRONTEND="$1" DEBIAN_PRIORITY=low
  perl -MDebconf::Db -MDebconf::Template -e 'Debconf::Db->load; Debconf::Template->load("tool.templates", "tool"); Debconf::Db->save' 2>/dev/null
  exec /usr/share/debconf/frontend sh "$0" "$1"
fi
. /usr/share/debconf/confmodule
db_input high tool/size
db_go
sleep 1.2
db_input high tool/keep
db_go
sleep 3
