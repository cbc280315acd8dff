/**
 * Names of cmdlets: the short ones, and those that only make values of what they are given.
 * Source: learn.microsoft.com, the reference of PowerShell 7 and `Get-Alias` on Windows.
 */

/** In small letters, with what they stand for. */
export const aliases: Readonly<Record<string, string>> = Object.fromEntries(
  `ri rm rmdir del erase rd=remove-item|clc=clear-content|gc cat type=get-content|gci dir ls=get-childitem|gi=get-item|ni=new-item|md mkdir=mkdir
  sc=set-content|ac=add-content|cp cpi copy=copy-item|mv mi move=move-item|rni ren=rename-item|si=set-item|sp=set-itemproperty|rp=remove-itemproperty
  ii=invoke-item|iex=invoke-expression|icm=invoke-command|iwr curl wget=invoke-webrequest|irm=invoke-restmethod|saps start=start-process|sajb=start-job
  sal=set-alias|nal=new-alias|sv set=set-variable|nv=new-variable|foreach %=foreach-object|where ?=where-object|select=select-object|sort=sort-object
  measure=measure-object|group=group-object|compare diff=compare-object|ft=format-table|fl=format-list|fw=format-wide|oh=out-host|tee=tee-object
  sls=select-string|echo write=write-output|gps ps=get-process|spps kill=stop-process|gsv=get-service|sasv=start-service|spsv=stop-service
  gcm=get-command|gal=get-alias|gm=get-member|gv=get-variable|gp=get-itemproperty|gl pwd=get-location|cd chdir sl=set-location|pushd=push-location
  popd=pop-location|cls clear=clear-host|h history ghy=get-history|r ihy=invoke-history|ipmo=import-module|rmo=remove-module|sleep=start-sleep
  ipcsv=import-csv|epcsv=export-csv|fhx=format-hex|rv=remove-variable|clv=clear-variable|man help=get-help|nsn=new-pssession|etsn=enter-pssession
  rvpa=resolve-path|gcb=get-clipboard|scb=set-clipboard|gerr=get-error|iwmi=invoke-wmimethod|swmi=set-wmiinstance|gcim=get-ciminstance`
    .split(/[|\n]/)
    .flatMap((row) => {
      const [names = '', target = ''] = row.trim().split('=')
      return names.split(' ').map((name) => [name, target])
    }),
)

/** Cmdlets that other lines rely on: whoever defines one of them anew changes what these mean. */
export const usualCmdlets = new Set(
  `${Object.values(aliases).join(' ')} prompt tabexpansion2 psconsolehostreadline out-default out-null out-string write-host write-error
  test-path split-path get-date get-random get-member convertto-json convertfrom-json start-sleep read-host export-csv get-filehash expand-archive
  compress-archive get-host invoke-pester new-object add-type get-credential set-executionpolicy stop-computer restart-computer get-unique
  get-help import-clixml register-scheduledtask start-transcript`.split(/\s+/),
)

/** What follows them is text, values and blocks. */
export const harmlessCmdlets =
  /^((get|test|measure|format|select|sort|group|compare|convertto|convertfrom|resolve|split|join|write|show|find|wait|receive|debug|enter|exit|trace)-(?!credential|secret|clipboard|pssession|pshostprocess|wmiobject)\w+|out-(string|null|host|default|gridview)|where-object|start-sleep|clear-host|clear-variable|remove-variable|new-timespan|new-guid|new-temporaryfile|read-host|set-strictmode|push-location|pop-location|set-location|set-clipboard|get-(clipboard|wmiobject)|invoke-pester|invoke-scriptanalyzer|invoke-build|new-event|update-help|save-help|tee-object|select-string|set-psreadlineoption|prompt|more)$/

/** Programs for development that are the same everywhere, besides those that have rules. */
export const knownPrograms = new Set(
  `dotnet msbuild nuget tsc jest vitest pytest eslint prettier mocha rustfmt golangci-lint mypy ruff black tox nox hatch pdm turbo nx vite
  webpack rollup esbuild tsx ts-node playwright cypress ng vue create-react-app next astro hugo jekyll mkdocs sphinx-build protoc buf grpcurl k6 act
  hadolint shellcheck actionlint tflint terragrunt pulumi vagrant packer minikube kind k3d k9s kubectx kustomize skaffold tilt oc az gcloud aws flutter
  dart elixir mix iex-s erl rebar3 ghc cabal stack ocaml dune opam zig nim crystal julia rscript octave swiftc kotlinc kotlin scala sbt lein clj bazel
  buck2 pants ant gradlew mvnw xcodebuild pod fastlane winget choco scoop pwsh-preview code-insiders clang-format clang-tidy cppcheck ctest cpack
  doxygen pandoc latex pdflatex ffmpeg ffprobe convert magick gs sqlite3 duckdb mongosh redis-cli psql mysql sqlcmd bcp hey wrk ab nginx caddy`
    .trim()
    .split(/\s+/),
)
