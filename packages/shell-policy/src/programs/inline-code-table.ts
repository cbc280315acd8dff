/**
 * Effects of calls in many languages, by their names. Tested on programs without their strings.
 * Source: the references of the standard libraries of Python, Node.js, Perl, Ruby, PHP, Lua, awk, R and Julia.
 */

export const callPatterns = {
  /** Starts a process. */
  process:
    /\bos\s*\.\s*(system|popen\d?|exec[lv]p?e?|spawn\w+|posix_spawn\w*|startfile)\b|\bsubprocess\b|\bpty\s*\.\s*spawn|\bcommands\s*\.\s*get(status)?output|\bpopen\d?\s*\(|\bPopen\b|(?<![.\w])(exec|spawn|fork)(File)?(Sync)?\s*\(|\b(exec|spawn|fork)(File)?Sync\s*\(|\bexeca\b|\bshelljs\b|\bzx\b|\bDeno\s*\.\s*(Command|run)\b|\bBun\s*\.\s*(spawn|\$)|\b(system|passthru|shell_exec|proc_open|pcntl_exec)\b|(?<![.\w])exec\b|\bIO\s*\.\s*popen|\bOpen3\b|\bKernel\s*\.\s*\w+|\bos\s*\.\s*execute|\bio\s*\.\s*popen|\bRuntime\s*\.\s*getRuntime|\bProcessBuilder\b|\bcreate_subprocess\w*|\bProcess\s*\.\s*(spawn|exec)|\bopen\s*\(?\s*\w+\s*,\s*""?\s*[|-]|\bexecvp?e?\b|\bSystem\s*\.\s*cmd\b|""\s*\.\s*execute\s*\(|\bos:cmd\b|\brun\(``/,
  /** Runs text as code. */
  evaluate:
    /(?<![.\w])eval\b|\b(globalThis|window|global|builtins|Kernel)\s*\.\s*(eval|exec)\b|(?<![.\w])exec\s*[("]|\bexecfile\b|\bnew\s+Function\b|\bFunction\s*\(|(?<![.\w])compile\s*\(|\binstance_eval\b|\bclass_eval\b|\bloadstring\b|(?<![.\w])load\s*\(|\bassert\s*\(\s*\$|\bcreate_function\b|\brunInThisContext|\brunInNewContext|\bvm\s*\.|\b__import__\s*\(\s*[^")]|\bimport_module\s*\(\s*[^")]|\brunpy\b|\bmarshal\s*\.\s*loads|\bpickle\s*\.\s*loads?|\binclude\s*\(?\s*\$|\brequire\s*\(\s*[^")'`]|\bimport\s*\(\s*[^")'`]/,
  /** Decodes text that no person can read. */
  decode:
    /b64decode|b32decode|b85decode|a85decode|b16decode|decodestring|decodebytes|fromhex|unhexlify|a2b_\w+|\bdecode\s*\(|decode_base64|base64_decode|hex2bin|\batob\b|Buffer\s*\.\s*from|\bunpack1?\b|\bpack\b|\bchr\b|\bord\b|fromCharCode|fromCodePoint|\bbytes\s*\(\s*\[|bytearray|decompress|gzinflate|gzuncompress|gzdecode|str_rot13|rot13|inflateSync|gunzipSync|unzipSync|brotliDecompress|marshal|Base64|strrev|\.reverse\b|\[::-1\]|string\.char|convert_uudecode|codecs|unescape\s*\(|decodeURIComponent/,
  /** Gets something from the network. */
  fetch:
    /\burlopen\b|\burlretrieve\b|\burllib\b|\brequests\s*\.|\bhttpx\b|\baiohttp\b|\bhttp\.client\b|\bfetch\s*\(|\baxios\b|\bhttps?\s*\.\s*(get|request|post)|require\(""\)\s*\.\s*(get|request)\s*\(|\bLWP\b|\bHTTP::\w+|\bNet::HTTP\b|\bopen-uri\b|\bURI\s*\.\s*open|\bURI\.parse|\bOpenURI\b|file_get_contents\s*\(\s*""\s*\)(?=.*http)|\bcurl_exec\b|\bcurl_init\b|\bftplib\b|\bsocket\.http\b|\bsmtplib\b|\bparamiko\b|\bboto3\b|\bWebSocket\b|\bgot\s*\(|\burl\.request\b/,
  fetchIntoShell: /\b(system|exec\w*|popen|run|call|check_output|spawn\w*)\s*\(\s*[^")]/,
  /** Speaks to another machine directly. */
  socket:
    /\bsocket\b|\bSocket\b|\bTCPSocket\b|\bfsockopen\b|\bnet\s*\.\s*(connect|createConnection|Socket)|\bcreateConnection\b|IO::Socket|\bstream_socket_client\b|\bTCPServer\b|new net\.|\bnet\.connect\b|\bdgram\b|\bdns\s*\.|gethostbyname|getaddrinfo/,
  listen: /\bcreateServer\b|\bTCPServer\b|\.listen\s*\(|\bbind\s*\(/,
  redirect: /\bdup2\b|\bfdopen\b|STDIN|\bSTDOUT\b|\.pipe\s*\(\s*\w+\.stdin|stdin\s*=\s*\w*s(ock)?\b/,
  remove:
    /\brmtree\b|\bos\s*\.\s*(remove|unlink|rmdir|removedirs)\b|\b(unlink|rmdir|rm|remove|rmdirSync|unlinkSync|rmSync|removeSync|emptyDirSync|emptyDir)\s*\(|\bunlink\b|\brmdir\b|\bremove_tree\b|FileUtils\s*\.\s*(rm\w*|remove\w*)|\bFile\s*\.\s*(delete|unlink)|\bDir\s*\.\s*(rmdir|delete|unlink)|\bdeltree\b|\brimraf\b|os\.remove|\bDeno\s*\.\s*remove|\bfile\s+delete\b/,
  removeBefore:
    /(rmtree|remove|unlink|rmdir|removedirs|rm|rm_r|rm_rf|rm_f|rmSync|unlinkSync|rmdirSync|removeSync|emptyDirSync|remove_tree|remove_dir|remove_entry|remove_entry_secure|rmdir_r|delete|rimraf|deltree|expanduser|Path|PosixPath|glob|iglob|join|environ\[|HOME)\W*(?:\w+\W*)?$/,
  write:
    /\bopen\b|writeFile|appendFile|createWriteStream|write_text|write_bytes|File\s*\.\s*(write|open|new)|IO\s*\.\s*(write|binwrite)|file_put_contents|\bfopen\b|copyfile|\bcopy2?\b|\bcopytree\b|\brename(Sync)?\b|\bmove\b|cpSync|copyFileSync|symlink(Sync)?|\blink\b|chmod|\bmkdir|FileUtils|\btouch\b|Bun\s*\.\s*write|Deno\s*\.\s*write|truncate|\bprint\b/,
  writeBefore:
    /(writeFile(Sync)?|appendFile(Sync)?|createWriteStream|write(Text|_text|_bytes)?FileSync|File\.write|IO\.write|binwrite|file_put_contents|fopen|truncate|truncateSync|chmod|chmodSync|mkdirs?|makedirs|mkdirSync|touch|Bun\.write|writeTextFile|writeFile|copyfile|copyFileSync|copyFile|copy2?|rename|renameSync|move|symlink|symlinkSync|link|cpSync|cp_r|cp|mv|File\.open|chown|lchown|setxattr)\s*\(?\s*(?:\w+\s*,\s*)?(?:""\s*,\s*|["'][^"']*["']\s*,\s*)?$/,
  killAll:
    /\bkill\s*\(\s*-\s*1\b|kill\s+(-?9|KILL|""|"?SIGKILL"?)\s*,\s*-\s*1\b|killpg\s*\(\s*[01]\b|process\.kill\s*\(\s*-\s*1\b/,
  power: /(?<!\w)reboot\s*\(|RB_(AUTOBOOT|POWER_OFF|HALT)|ExitWindowsEx|InitiateSystemShutdown/,
  environment:
    /os\.environ\s*\[|os\.getenv|process\.env\.\w+|\bENV\[|sys\.argv|process\.argv|\binput\s*\(|\bARGV\b|\bstdin\b/,
  /** All variables together. */
  wholeEnvironment:
    /\bos\.environ\b(?!\s*[[.]|\s*\.)|dict\(os\.environ|os\.environ\.(items|copy|values)|process\.env\b(?!\s*[.[])|\bENV\b(?!\s*\[)\.?(to_h|inspect|each|map)?|%ENV\b|\$_ENV\b(?!\[)|getenv\(\s*\)/,
  awkPipe: /""\s*\|\s*getline|\|\s*""|\|\s*\(|\|\s*\$|\|&|\w\s*\|\s*getline/,
} as const
