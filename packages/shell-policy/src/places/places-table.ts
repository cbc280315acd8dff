/**
 * Places that matter, as patterns of paths. `~` is any home directory; a last part `**` is the folder itself and all below it.
 * A comment above each table says what its rows are for.
 * Source: hier(7), and the section FILES in the manual of each program.
 */

export const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Directories that a machine cannot lose, besides homes and the workspace's ancestors. */
export const topFolders = words(`
  / /bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /opt /proc /root /run /sbin /srv /sys /usr /var /Users /System /Library
  /Applications`)

/** Folders that only the machine's administrator writes to. */
export const systemFolders = words(`
  /bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /root /run /sbin /sys /usr /var /System /Library`)

/** Folders below a system folder in which every user may write. */
export const sharedFolders = words('/var/tmp /dev/shm /run/user /run/lock')

/** Files of /dev that are no devices to write on. */
export const harmlessDevices = words(`
  /dev/null /dev/zero /dev/full /dev/tty /dev/stdin /dev/stdout /dev/stderr /dev/fd/** /dev/pts/** /dev/ptmx /dev/random
  /dev/urandom /proc/self/fd/** /dev/tcp/** /dev/udp/**`)

/** Disks and memory, by the beginning of their names below /dev. */
export const diskNames = words(`
  sd hd vd xvd nvme mmcblk loop dm- md sr disk rdisk mapper/ nbd rbd zram ram mem kmem port mtd ubi vg pmem bcache zd zvol block/
  st0 cciss dasd fd0`)

export const accountFiles = words(`
  /etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/sudoers /etc/sudoers.d/** /etc/pam.d/** /etc/ld.so.preload
  /etc/ssh/sshd_config /etc/ssh/sshd_config.d/** /etc/security/** /etc/doas.conf /etc/pam.conf /etc/subuid /etc/subgid
  /etc/polkit-1/** /etc/passwd- /etc/shadow-`)

export const sysrqFiles = words('/proc/sysrq-trigger /proc/sys/kernel/sysrq')

/** Reading one of these shows a secret. */
export const credentialFiles = words(`
  ~/.ssh/** ~/.aws/** ~/.kube/** ~/.docker/config.json ~/.netrc ~/_netrc ~/.npmrc ~/.pypirc ~/.git-credentials
  ~/.config/git/credentials ~/.config/gh/hosts.yml ~/.config/hub ~/.config/glab-cli/** ~/.config/gcloud/** ~/.gnupg/** ~/.azure/**
  ~/.password-store/** ~/.local/share/keyrings/** ~/.mozilla/** ~/.config/google-chrome/** ~/.config/chromium/**
  ~/.config/BraveSoftware/** ~/.config/microsoft-edge/** ~/.thunderbird/** ~/.vault-token ~/.terraform.d/credentials.tfrc.json
  ~/.terraformrc ~/.cargo/credentials ~/.cargo/credentials.toml ~/.gem/credentials ~/.m2/settings.xml ~/.m2/settings-security.xml
  ~/.pgpass ~/.my.cnf ~/.mylogin.cnf ~/.s3cfg ~/.boto ~/.rclone.conf ~/.config/rclone/rclone.conf ~/.config/doctl/config.yaml
  ~/.config/op/** ~/.config/Bitwarden*/** ~/.bitcoin/** ~/.electrum/** ~/.ethereum/** ~/.config/sops/** ~/.config/age/**
  ~/.netlify/** ~/.config/netlify/** ~/.config/heroku/** ~/.config/configstore/** ~/.config/composer/auth.json
  ~/.composer/auth.json ~/.huggingface/token ~/.cache/huggingface/token ~/.codex/auth.json ~/.claude/.credentials.json
  ~/.gemini/oauth_creds.json ~/.local/share/opencode/auth.json ~/.config/github-copilot/** ~/.config/filezilla/**
  ~/.subversion/auth/** ~/.kaggle/kaggle.json ~/.databrickscfg ~/.fly/config.yml ~/.config/wrangler/** ~/.wrangler/**
  ~/.config/stripe/** ~/.snowsql/config ~/.oci/** ~/.config/hcloud/** ~/.config/containers/auth.json ~/.putty/** ~/.agentpty/token
  ~/.config/agentpty/token ~/.local/state/agentpty/token ~/Library/Keychains/** ~/.tsh/** ~/.config/solana/** /etc/shadow
  /etc/gshadow /etc/shadow- /etc/ssh/ssh_host_*_key /etc/ssl/private/** /etc/kubernetes/** /etc/krb5.keytab
  /etc/NetworkManager/system-connections/** /etc/letsencrypt/live/** /etc/letsencrypt/archive/** /etc/wireguard/** /etc/openvpn/**
  /etc/security/opasswd /var/run/secrets/** /run/secrets/** /run/user/*/keyring/** /proc/*/environ /proc/*/mem /proc/kcore
  /var/crash/** /var/lib/systemd/coredump/** /var/lib/docker/**`)

/** Files in folders of credentials that are not secret. */
export const publicFiles = words(`
  ~/.ssh/*.pub ~/.ssh/known_hosts ~/.ssh/known_hosts.old ~/.ssh/config ~/.ssh/config.d/** ~/.ssh/authorized_keys
  ~/.ssh/allowed_signers ~/.aws/config ~/.gnupg/gpg.conf ~/.gnupg/gpg-agent.conf ~/.gnupg/pubring.kbx ~/.azure/config
  ~/.kube/cache/** ~/.mozilla/native-messaging-hosts/** /proc/self/environ ~/.config/gcloud/configurations/**
  ~/.config/wrangler/logs/**`)

/** Names of private keys in any folder. */
export const keyNames =
  /^(id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(p12|pfx|kdbx|ppk|jks|keystore)|(.*[-_.])?(priv|private|privkey|private[-_]key|key)\.(pem|key|asc)|.+\.key|core\.\d+)$/

/** May be read, and is not for the network. */
export const privateNames =
  /^(\.env(\.(?!example|sample|template|dist|defaults?$).+)?|\.envrc|\.(bash|zsh|sh|psql|mysql|python|node_repl|sqlite|rediscli)_history|fish_history|\.histfile|\.lesshst|\.viminfo|terraform\.tfstate(\.backup)?|.*\.tfvars)$/

/** Files that start something later, or name a program to start. */
export const startFiles = words(`
  ~/.config/powershell/** ~/Documents/PowerShell/** ~/Documents/WindowsPowerShell/**
  ~/AppData/Roaming/Microsoft/Windows/Start?Menu/** ~/.bashrc ~/.bash_profile ~/.bash_login ~/.bash_logout ~/.bash_aliases
  ~/.bashrc.d/** ~/.profile ~/.zshrc ~/.zshenv ~/.zprofile ~/.zlogin ~/.zlogout ~/.zshrc.d/** ~/.oh-my-zsh/** ~/.kshrc ~/.cshrc
  ~/.tcshrc ~/.login ~/.config/fish/** ~/.inputrc ~/.xinitrc ~/.xsession ~/.xsessionrc ~/.xprofile ~/.Xresources
  ~/.config/autostart/** ~/.config/systemd/** ~/.local/share/systemd/** ~/.config/environment.d/** ~/.pam_environment
  ~/Library/LaunchAgents/** ~/.ssh/authorized_keys ~/.ssh/authorized_keys2 ~/.ssh/config ~/.ssh/config.d/** ~/.ssh/rc
  ~/.ssh/environment ~/.vimrc ~/.gvimrc ~/.vim/** ~/.exrc ~/.config/nvim/** ~/.config/vim/** ~/.local/share/nvim/** ~/.nanorc
  ~/.config/nano/** ~/.emacs ~/.emacs.el ~/.emacs.d/** ~/.config/emacs/** ~/.config/Code/User/** ~/.gitconfig ~/.config/git/**
  ~/.git-templates/** ~/.tmux.conf ~/.config/tmux/** ~/.screenrc ~/.gdbinit ~/.config/gdb/** ~/.lldbinit ~/.pdbrc ~/.pythonrc
  ~/.pythonrc.py ~/.pythonstartup ~/.irbrc ~/.pryrc ~/.Rprofile ~/.Renviron ~/.npmrc ~/.yarnrc ~/.yarnrc.yml ~/.curlrc ~/.wgetrc
  ~/.psqlrc ~/.sqliterc ~/.mailcap ~/.lessfilter ~/.lesskey ~/.config/direnv/** ~/.config/mise/** ~/.local/share/applications/**
  ~/.config/pip/pip.conf ~/.pip/pip.conf ~/.cargo/config.toml ~/.cargo/config ~/.m2/settings.xml ~/.gradle/init.gradle
  ~/.gradle/init.d/** ~/.gemrc ~/.bazelrc ~/.config/containers/** ~/.dircolors ~/.config/htop/** ~/.config/i3/** ~/.config/sway/**
  ~/.config/hypr/** ~/.config/alacritty/** ~/.config/kitty/** ~/.local/lib/python*/site-packages/** /etc/cron*/** /etc/crontab
  /etc/anacrontab /var/spool/cron/** /var/spool/at/** /etc/profile.d/** /etc/systemd/** /etc/rc.local /etc/init.d/**
  /lib/systemd/** /usr/lib/systemd/**`)

/** Paths below `.git`. */
export const gitStartFiles =
  /\/\.git\/(hooks(\/|$)|config(\.worktree)?$|modules\/.*\/(hooks\/|config$)|info\/attributes$)/

/** Folders of agentpty itself, where no other folder is configured. */
export const ownPlaces = words(`
  ~/.agentpty/** ~/.config/agentpty/** ~/.local/state/agentpty/** ~/.local/share/agentpty/** ~/.cache/agentpty/** /etc/agentpty/**
  /run/user/*/agentpty/** /run/agentpty/**`)

/** Files that guard this session or another agent's. */
export const guardFiles = [
  ...ownPlaces,
  ...words(`
  ~/.claude.json ~/.config/opencode/** ~/.gemini/settings.json ~/.cursor/mcp.json ~/.codeium/windsurf/mcp_config.json
  /etc/claude-code/** /etc/codex/**`),
]

/** The same by the end of the path, in any folder. */
export const guardEndings =
  /^\/tmp\/agentpty-(\d+-[0-9a-f]{16}|[a-zA-Z0-9]{6})(\/|$)|\/(\.agentpty|\.codebuddy|\.claude\/hooks)(\/|$)|\/(\.claude\/settings[^/]*|\.claude|\.codex\/(config\.toml|rules\/.*)|\.codex|\.mcp\.json|\.cursor\/(mcp|cli|permissions|hooks)\.json|\.gemini\/settings\.json|\.gemini\/policies\/.*|\.vscode\/mcp\.json|\.roo\/mcp\.json|\.kiro\/settings\/.*|\.aider\.conf\.yml|\.opencode\/.*|opencode\.json|\.amp\/settings\.json|agentpty(d)?\.(sock|pid|ya?ml|json|token))$/

/** Only what it says about approval makes it one. */
export const editorSettings = /\/(\.vscode|Code\/User)\/settings\.json$/

/** Paths that stay read-only in a writable folder of a sandbox: they start something outside later, or say what agents may do. */
export const guardsInWorkspace = words(`
  .git/hooks .git/config .git/config.worktree .git/info/attributes .git/modules/*/hooks .git/modules/*/config .agentpty .codebuddy
  .claude/hooks .claude/settings.json .claude/settings.local.json .mcp.json .codex .cursor/mcp.json .cursor/cli.json
  .cursor/hooks.json .gemini/settings.json .gemini/policies .vscode/mcp.json .roo/mcp.json .kiro/settings .aider.conf.yml
  .opencode opencode.json .amp/settings.json`)
