/** Variables by what programs do with their values. */

/** A shell evaluates the text, or sources the file. */
export const codeVariables = new Set(['PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS4', 'BASH_ENV', 'ENV'])

/** The value is a command that some program runs. */
export const commandVariables = new Set([
  ...['PAGER', 'MANPAGER', 'GIT_PAGER', 'SYSTEMD_PAGER', 'AWS_PAGER', 'GH_PAGER', 'BAT_PAGER', 'DELTA_PAGER', 'PSQL_PAGER', 'GLAB_PAGER', 'HGPAGER', 'MYSQL_PAGER'],
  ...['EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'SUDO_EDITOR', 'SYSTEMD_EDITOR', 'KUBE_EDITOR', 'FCEDIT', 'GH_EDITOR', 'HGEDITOR', 'SVN_EDITOR', 'PSQL_EDITOR', 'CRONTAB_EDITOR', 'LESSEDIT'],
  ...['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_EXTERNAL_DIFF', 'GIT_PROXY_COMMAND', 'GIT_ASKPASS', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'RSYNC_RSH', 'CVS_RSH', 'SVN_SSH', 'RSH', 'HG_SSH', 'BORG_RSH'],
  ...['BROWSER', 'GH_BROWSER', 'LESSOPEN', 'LESSCLOSE', 'MANROFFOPT', 'TEXEDIT', 'PRINTER_COMMAND', 'FZF_DEFAULT_COMMAND', 'FZF_CTRL_T_COMMAND', 'FZF_ALT_C_COMMAND'],
  ...['RUSTC_WRAPPER', 'RUSTC_WORKSPACE_WRAPPER', 'RUSTC', 'RUSTDOC', 'CARGO_BUILD_RUSTC_WRAPPER', 'CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER', 'CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER'],
  ...['CC', 'CXX', 'CPP', 'LD', 'AR', 'AS', 'FC', 'HOSTCC', 'CMAKE_C_COMPILER_LAUNCHER', 'CMAKE_CXX_COMPILER_LAUNCHER', 'PKG_CONFIG', 'MAKE', 'PYTHONBREAKPOINT', 'PYTHON_BROWSER', 'TAR', 'GZIP_PROG', 'ZSTD_PROG'],
])

/** The value is loaded into programs as code. */
export const preloadVariables = new Set([
  ...['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'DYLD_LIBRARY_PATH', 'PYTHONSTARTUP', 'PYTHONHOME', 'PYTHONUSERBASE', 'GCONV_PATH', 'GTK_MODULES', 'QT_PLUGIN_PATH', 'GIO_EXTRA_MODULES'],
  ...['OPENSSL_CONF', 'OPENSSL_ENGINES', 'OPENSSL_MODULES', 'VIMINIT', 'EXINIT', 'GVIMINIT', 'NVIM_APPNAME', 'PHPRC', 'PHP_INI_SCAN_DIR', 'LUA_INIT', 'RIPGREP_CONFIG_PATH', 'INPUTRC', 'SHELLOPTS', 'BASHOPTS'],
  ...['PERL5DB', 'PERL5SHELL', 'R_PROFILE', 'R_PROFILE_USER', 'GIT_TEMPLATE_DIR', 'GIT_EXEC_PATH', 'GIT_CONFIG_COUNT', 'GLIBC_TUNABLES', 'KRB5_CONFIG', 'LIBGL_DRIVERS_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'ERL_FLAGS_PRELOAD', 'JULIA_LOAD_PATH'],
])

/** Folders in which programs look for code; the usual ones are those of the system, the home and the workspace. */
export const pathVariables = new Set([
  ...['PATH', 'PYTHONPATH', 'LD_LIBRARY_PATH', 'NODE_PATH', 'PERL5LIB', 'PERLLIB', 'RUBYLIB', 'GEM_PATH', 'GEM_HOME', 'CLASSPATH', 'GOPATH', 'GOBIN', 'LUA_PATH', 'LUA_CPATH', 'MANPATH', 'LIBRARY_PATH', 'CPATH', 'PKG_CONFIG_PATH', 'CDPATH', 'fpath', 'FPATH', 'TCLLIBPATH', 'GUILE_LOAD_PATH', 'ERL_LIBS', 'XDG_DATA_DIRS', 'XDG_CONFIG_DIRS'],
])

/** Where programs find their settings, and with them commands to run. */
export const configVariables = new Set([
  ...['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'ZDOTDIR', 'GIT_DIR', 'GIT_CONFIG', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'CURL_HOME', 'WGETRC', 'NPM_CONFIG_USERCONFIG', 'npm_config_userconfig', 'NPM_CONFIG_PREFIX', 'npm_config_prefix', 'NPM_CONFIG_GLOBALCONFIG'],
  ...['GNUPGHOME', 'DOCKER_CONFIG', 'KUBECONFIG', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'PIP_CONFIG_FILE', 'CARGO_HOME', 'RUSTUP_HOME', 'GRADLE_USER_HOME', 'HGRCPATH', 'TMUX_TMPDIR', 'SCREENRC', 'PSQLRC', 'MYSQL_HOME', 'PYTHONPYCACHEPREFIX', 'EMACSLOADPATH', 'VIM', 'VIMRUNTIME', 'FZF_DEFAULT_OPTS_FILE', 'STARSHIP_CONFIG', 'BAT_CONFIG_PATH', 'YARN_RC_FILENAME', 'ANSIBLE_CONFIG', 'TF_CLI_CONFIG_FILE', 'HELM_PLUGINS', 'MAVEN_CONFIG', 'TERMINFO', 'HOSTALIASES', 'BUNDLE_GEMFILE', 'BUNDLE_PATH', 'LESSKEY', 'LESSKEYIN', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'],
])

/** Options for a program; only those that load or run code count. */
export const flagVariables: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: /-r\b|--require|--import|--loader|--experimental-loader|--inspect|--openssl-config|--env-file/,
  PERL5OPT: /./,
  RUBYOPT: /-r|-I/,
  PYTHONOPTIONS: /./,
  PYTHONINSPECT: /./,
  JAVA_TOOL_OPTIONS: /agent|-Xbootclasspath|-XX:OnError|-XX:OnOutOfMemoryError|@/,
  _JAVA_OPTIONS: /agent|-Xbootclasspath|-XX:On|@/,
  JDK_JAVA_OPTIONS: /agent|-Xbootclasspath|-XX:On|@/,
  MAVEN_OPTS: /agent|-Xbootclasspath|-XX:On/,
  GRADLE_OPTS: /agent|-Xbootclasspath|-XX:On/,
  SBT_OPTS: /agent|-XX:On/,
  RUSTFLAGS: /linker|-C ?link-arg|-Z/,
  CARGO_ENCODED_RUSTFLAGS: /linker/,
  GOFLAGS: /toolexec|overlay/,
  CFLAGS: /-fplugin|-wrapper|-B|-specs/,
  CXXFLAGS: /-fplugin|-wrapper|-B|-specs/,
  LDFLAGS: /-fuse-ld=\/|-B/,
  MAKEFLAGS: /eval|-f|SHELL/,
  MFLAGS: /eval|-f|SHELL/,
  TAR_OPTIONS: /to-command|checkpoint-action|compress-program|-I|rsh|info-script|-F/,
  RSYNC_OPTIONS: /-e|rsh/,
  GREP_OPTIONS: /./,
  LESS: /\+|lesskey|-k|-o/,
  MORE: /\+/,
  LESSOPEN: /./,
  FZF_DEFAULT_OPTS: /execute|become|preview|reload|transform|--bind/,
  MANOPT: /-P|--pager|-H/,
  GIT_TRACE_SETUP: /\//,
  VAGRANT_VAGRANTFILE: /\//,
  SSH_OPTIONS: /Command/,
  PYTEST_ADDOPTS: /-p |-c |--rootdir|--confcutdir/,
  PYTEST_PLUGINS: /./,
  DOTNET_STARTUP_HOOKS: /./,
  CORECLR_PROFILER_PATH: /./,
  COMPlus_StartupHooks: /./,
}
