#!/bin/sh
# a vendor's installer: a licence, a key without echo, dots while it unpacks, a folder, and a long last step
printf 'ACME TOOLS 4.2\n\nThis program comes without any warranty.\n\n'
until [ "$agreed" = yes ]; do
  printf 'Do you accept the licence? (yes/no) [no]: '
  read -r agreed || exit 1
done
stty -echo
printf 'Licence key (will not be shown): '
read -r key
stty echo
printf '\nVerifying archive integrity'
for i in 1 2 3 4 5 6 7; do printf .; sleep 0.2; done
printf ' all good.\nInstall into [%s/acme]: ' "$HOME"
read -r folder
printf 'Uncompressing'
for i in 1 2 3 4 5 6 7 8; do printf .; sleep 0.2; done
printf '\nAdd it to the PATH? [Y/n] '
read -r answer
echo 'Optimizing for this computer, please wait...'
sleep 60
