/**
 * Types and members of .NET by what they do. What stands in none of these tables is asked about.
 * Source: learn.microsoft.com, the .NET API browser.
 */

/** Types whose static members only make values of values. */
export const harmlessTypes =
  /^(system\.)?(math|mathf|datetime|datetimeoffset|timespan|string|u?int(16|32|64)?|long|double|decimal|single|float|bool|boolean|guid|version|uri|uribuilder|regex|text\.regularexpressions\.\w+|globalization\.\w+|io\.path|text\.\w*encoding|text\.encoding|stringcomparison|array|char|byte|object|pscustomobject|psobject|ordered|hashtable|xml|xmldocument|switch|void|convert|bitconverter|enum|console|consolecolor|linq\.\w+|collections\.[\w.]+|numerics\.\w+|net\.webutility|web\.httputility|diagnostics\.stopwatch|runtime\.interopservices\.runtimeinformation|environment|random|nullable|stringsplitoptions|dayofweek|tuple|valuetuple|midpointrounding|net\.(http\.httpclient|webclient|dns|ipaddress)|text\.json\.\w+|io\.(fileinfo|directoryinfo)|net\.mail\.mailaddress|management\.automation\.semanticversion|semver|cultureinfo|ipaddress|mailaddress|securestring|stringbuilder|text\.stringbuilder)$/

/** Casts to these spell a text out of numbers. */
export const spellingTypes = /^(system\.)?(char|byte)(\[\])?$/

/** Members whose output is spelled, or taken out of a code. */
export const decodingMembers =
  /^(frombase64string|frombase64chararray|fromhexstring|tochararray|urldecode|htmldecode|unescapedatastring|unescape|join|concat|reverse|getstring|decompress\w*|format)$/

export const fetchingMembers =
  /^(downloadstring|downloaddata|downloadstringtaskasync|getstringasync|getbytearrayasync|getstreamasync|getasync|openread|getresponse(stream)?)$/
export const sendingMembers = /^(upload(string|data|file|values)|postasync|putasync|sendasync|send)$/
export const runningMembers =
  /^(invoke|invokereturnasis|invokewithcontext|begininvoke|invokescript|invokecommand|addscript|addcommand|create|newscriptblock|expandstring)$/
export const removingMembers = /^(delete|remove(directory|file)|kill|terminate)$/

/** Methods that make values of values. */
export const harmlessMembers =
  /^(to(string|upper|lower|upperinvariant|lowerinvariant|array|list|boolean|int(16|32|64)|double|date(time)?|shortdatestring|longdatestring|localtime|universaltime|base64string|hexstring|oadate|filetime\w*|unixtime\w*)|split|trim|trimstart|trimend|replace|substring|startswith|endswith|contains|containskey|containsvalue|indexof|lastindexof|padleft|padright|insert|add(range|days|hours|minutes|seconds|months|years|milliseconds)?|subtract|compareto|equals|gethashcode|gettype|getlength|getenumerator|item|count|where|foreach|sort|find|findall|exists|isnullor(empty|whitespace)|parse|tryparse|parseexact|new|now|utcnow|today|match|matches|ismatch|escape|getfilename|getfilenamewithoutextension|getextension|getdirectoryname|combine|getfullpath|getrelativepath|gettemppath|gettempfilename|getrandomfilename|haspropery|changeextension|getenvironmentvariables?|getfolderpath|getcommandlineargs|max|min|abs|round|floor|ceiling|pow|sqrt|log|log10|sign|truncate|clamp|newguid|getbytes|getencoding|clone|copyto|keys|values|clear|remove|removeat|pop|push|peek|enqueue|dequeue|tolist|first|last|any|all|sum|average|select|orderby|distinct|skip|take|getdetails|startnew|stop|restart|elapsed|write|writeline|readline|readkey|append|appendline|appendformat|urlencode|htmlencode|escapedatastring|getvalue|getvalues|getnames|isdefined|hasvalue|getvalueordefault|get_\w+|refresh|getfiles|getdirectories|enumerate\w+|copy|intersect|union|except|getresult|getawaiter|psobject|getmembers?|setvalue|dispose|close|flush|addheader|daysinmonth|isleapyear|specifykind|fromseconds|fromminutes|fromhours|fromdays|range|repeat|empty|isdigit|isletter|isupper|islower|iswhitespace|compare|compareordinal)$/

/** `[IO.File]` and its like: which methods read, write and remove. */
export const fileTypes = /^(system\.)?io\.(file|directory|streamwriter|streamreader|filestream|compression\.zipfile)$/
export const readingFiles = /^(read\w*|open(read|text)|exists|get\w+|enumerate\w+)$/
export const removingFiles = /^delete$/

/** Types that `New-Object` may make. */
export const harmlessObjects =
  /^(system\.)?(pscustomobject|psobject|object|string|datetime|timespan|random|guid|version|uri|text\.\w+|collections\.[\w.[\]]+|io\.(fileinfo|directoryinfo|stringreader|stringwriter|memorystream)|net\.(webclient|networkcredential|webproxy)|net\.http\.\w+|xml\.\w+|xml|diagnostics\.stopwatch|management\.automation\.(psobject|pscredential|semanticversion)|hashtable|byte\[\]|string\[\]|int\[\])(\[\])?$/
