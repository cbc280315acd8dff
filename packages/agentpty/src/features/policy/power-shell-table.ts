/** PowerShell and cmd by their words. */

import type { Code, Rule } from './verdict.ts'

export const actionTable: readonly (readonly [pattern: RegExp, code: Code, rule: Rule])[] = [
  [
    /\b(format-volume|clear-disk|initialize-disk|remove-partition|new-partition|set-disk|reset-physicaldisk|diskpart|mkfs\S*)\b/i,
    'D2',
    'disk-destruction',
  ],
  [/(^|[;&|\s])format(\.com)?\s+[a-z]:/i, 'D2', 'disk-destruction'],
  [
    /\b(remove-virtualdisk|remove-storagepool|cipher\s+\/w|manage-bde\s+.*-(off|lock|forcerecovery)|bcdedit)\b/i,
    'D2',
    'disk-destruction',
  ],
  [/\\\\\.\\physicaldrive/i, 'D2', 'disk-destruction'],
  [/\bof=\/dev\/(sd|hd|nvme|vd|disk)/i, 'D2', 'disk-destruction'],
  [/\b(stop-computer|restart-computer|shutdown|reboot|poweroff|halt|logoff)\b/i, 'D2', 'power-state'],
  [/stop-process\s+(-name\s+)?\*|get-process\s*\|\s*stop-process|taskkill\s.*\/im\s+\*/i, 'D2', 'power-state'],
  [/(stop-process|spps|kill|taskkill)\b[^;|\n]*(agentpty|\bnode\b)/i, 'Q2', 'self-tampering'],
  [
    /\bagentpty\s+(approvals?|approve|policy\s+(set|disable|off)|config\s+set\s+\S*(profile|policy))/i,
    'D2',
    'self-approve',
  ],
  [/\bnew-object\s+(system\.)?net\.sockets\.tcpclient\b/i, 'D2', 'remote-code'],
  [/\b(mshta|regsvr32|rundll32|msiexec)\b[^;|\n]*https?:/i, 'D2', 'remote-code'],
  [/start-process\b[^;|\n]*-verb\s+runas/i, 'D1', 'root-shell'],
  [
    /\b(register-scheduledtask|schtasks|new-service|set-service|sc(\.exe)?\s+(create|config)|new-itemproperty\b[^;|\n]*\\run\b|reg\s+add\b[^;|\n]*\\run\b|register-wmievent|set-wmiinstance|register-objectevent)\b/i,
    'Q2',
    'persistence',
  ],
  [/\$PROFILE\b/i, 'Q2', 'persistence'],
  [
    /\b(set-executionpolicy|set-mppreference|add-mppreference|netsh|disable-windowsoptionalfeature|new-netfirewallrule|set-netfirewallprofile|auditpol|wevtutil\s+cl|clear-eventlog|reg\s+(add|delete|import)|set-itemproperty\b[^;|\n]*hklm|icacls|takeown|set-acl|net\s+(user|localgroup))\b/i,
    'Q2',
    'privilege',
  ],
  [/\b(vssadmin|wbadmin|wmic\s+shadowcopy)\b[^;|\n]*delete/i, 'D2', 'root-wipe'],
  [
    /\b(mimikatz|procdump\b.*lsass|get-credential|convertfrom-securestring|reg\s+save\s+hklm\\(sam|system|security))\b/i,
    'Q2',
    'credential-read',
  ],
  [/\bget-(childitem|content|item)\s+env:[^;]*\|\s*(invoke|irm|iwr|curl)/i, 'D2', 'credential-exfil'],
  [
    /\b(invoke-restmethod|invoke-webrequest|irm|iwr)\b[^;\n]*(\$env:\w*(token|secret|password|key)|get-childitem env:)/i,
    'Q2',
    'credential-exfil',
  ],
  [/\binstall-(module|script|package)\b[^;|\n]*(-repository\s+(?!psgallery)|-source\s+)/i, 'Q1', 'foreign-package'],
  [/\b(start-process|start-job|saps|add-type|set-alias|new-alias|sal|function\s+(?!global:)\w)\b/i, 'Q2', 'unresolved'],
  [/\b(stop-process|spps|taskkill)\b/i, 'Q1', 'power-state'],
  [/\b(stop|restart|start)-service\b/i, 'Q1', 'privilege'],
]

/** Commands that show what they are given. */
export const readers =
  /^(get-[a-z]+|gc|gci|gi|gp|gps|gsv|cat|type|ls|dir|more|less|head|tail|select-string|sls|test-path|import-csv|format-hex|fhx|get|findstr|fc|tree|where|notepad|vim|code)$/

/** Drives, homes and the system. */
export const windowsRoots =
  /^([A-Za-z]:[\\/]?(\*|windows|users|program files.*|programdata|windows\\\S*|users\\[^\\]+)?[\\/]?\*?|\$env:(systemdrive|systemroot|windir|programfiles|userprofile|homedrive)[\\/]?\*?|%(systemdrive|systemroot|windir|userprofile)%[\\/]?\*?|hk(lm|cu|cr|u):?\\?\*?)$/i
