/**
 * Shared state that cannot be brought back, packages from elsewhere, secrets that tools print, settings of shells that switch a guard off: by
 * the words of the command line.
 * Source: the command reference of each tool.
 */

import type { Code, Rule } from '../verdict.ts'

type Row = readonly [programs: string, pattern: RegExp, code: Code, rule: Rule]

const lost = (programs: string, pattern: RegExp): Row => [programs, pattern, 'Q1', 'destructive-infra']
const foreign = (programs: string, pattern: RegExp): Row => [programs, pattern, 'Q1', 'foreign-package']
const stays = (programs: string, pattern: RegExp): Row => [programs, pattern, 'Q2', 'persistence']
const unguards = (programs: string, pattern: RegExp): Row => [programs, pattern, 'Q2', 'self-tampering']
const keys = (programs: string, pattern: RegExp): Row => [programs, pattern, 'Q2', 'shadowing']
const secret = (programs: string, pattern: RegExp): Row => [programs, pattern, 'Q2', 'credential-read']

const address = String.raw`(?:(?:git\+|hg\+|svn\+)?(?:https?|ssh|git|file):\/\/|git\+|git@|github:|gitlab:|bitbucket:|gist:)`

export const infraTable: readonly Row[] = [
  lost(
    'docker podman nerdctl',
    /^(system (prune|reset)|volume (rm|remove|prune)|(compose|stack) (.* )?(down\b.*(-v|--volumes|--rmi)|rm\b.*(-v|-s))|swarm leave|stack rm|stack down|service rm|secret rm|config rm|node rm|machine rm|image prune -a|image prune --all|builder prune -a)/,
  ),
  lost('docker-compose', /\bdown\b.*(-v|--volumes|--rmi)|\brm\b.*-v/),
  lost(
    'kubectl oc k k3s',
    /^(\S+ )?(delete|drain|replace\b.*--force|scale\b.*--replicas[= ]0|taint|cordon|rollout undo|patch\b.*finalizers|apply\b.*--prune)\b/,
  ),
  lost('helm', /^(uninstall|delete|del|un|rollback)\b/),
  lost('kind minikube k3d eksctl kops doctl linode-cli', /\b(delete|destroy)\b/),
  lost(
    'terraform tofu terragrunt',
    /^(.* )?(destroy|apply\b.*(-auto-approve|-destroy)|state (rm|mv|push|replace-provider)|force-unlock|workspace delete|taint|import)\b|-auto-approve/,
  ),
  lost('pulumi', /^(destroy|up\b.*(-y|--yes)|stack rm|state delete|cancel|refresh\b.*(-y|--yes))/),
  lost('cdk cdktf', /^(destroy|deploy\b.*--require-approval[= ]never)/),
  lost('serverless sls sam sst amplify copilot', /^(remove|delete|destroy)\b|\benv delete\b/),
  lost('ansible-galaxy', /^(collection|role) publish/),
  lost(
    'aws',
    /\bs3 (rm|rb)\b|\bs3 (sync|mv)\b.*--delete|\b(delete|terminate|deregister|purge|remove|disable|destroy|cancel|detach|revoke|release|reboot)-[a-z-]+|\bs3api (delete|put-bucket-(policy|acl|lifecycle))/,
  ),
  lost(
    'gcloud',
    /\b(delete|destroy|remove|purge|reset|disable|set-iam-policy|remove-iam-policy-binding|add-iam-policy-binding)\b/,
  ),
  lost('gsutil', /(^| )(rm|rb)\b|rsync\b.* -d|rsync -\w*d/),
  lost('az', /\b(delete|purge|remove|deallocate|destroy|revoke)\b/),
  lost('s3cmd s5cmd mc', /^(rm|del|rb|remove|mb --force|sync\b.*--delete|mirror\b.*--remove)\b/),
  lost('rclone', /^(purge|delete|deletefile|sync|move|moveto|rmdir|rmdirs|cleanup|dedupe)\b/),
  lost(
    'heroku',
    /\b(apps:destroy|destroy|pg:reset|addons:destroy|releases:rollback|ps:stop|domains:remove|pipelines:destroy|pg:killall|apps:delete)\b/,
  ),
  lost('fly flyctl', /\b(destroy|delete|remove|detach)\b/),
  lost(
    'vercel netlify wrangler railway render firebase supabase neonctl planetscale pscale turso convex surge now',
    /\b(remove|rm|delete|destroy|db reset|reset|down|teardown|disable|unlink|rollback|sites:delete|firestore:delete|hosting:disable)\b/,
  ),
  lost(
    'gh',
    /^(release delete|repo (delete|archive|rename|edit\b.*visibility)|secret (delete|remove|set)|issue delete|gist delete|run delete|cache delete|label delete|variable delete|workflow disable|codespace delete|ssh-key (delete|add)|api\b.*(-X|--method)[= ]?(DELETE|PUT|PATCH)|pr close\b.*--delete-branch|auth logout|ruleset|extension install|environment delete|release delete-asset|project delete)/i,
  ),
  lost('glab', /\b(delete|remove)\b|\bapi\b.*DELETE/),
  lost(
    'npm pnpm yarn bun lerna',
    /^(.* )?(publish|unpublish|deprecate|owner (add|rm)|access|dist-tag (add|rm)|team|token (create|revoke)|npm publish)\b(?!.*--dry-run)/,
  ),
  lost('cargo', /^(publish|yank|owner)\b(?!.*--dry-run)/),
  lost('twine poetry flit hatch uv pdm', /^(upload|publish)\b(?!.*--dry-run)/),
  lost('gem', /^(push|yank|owner)\b/),
  lost('mvn gradle gradlew', /\b(deploy|publish|publishToMavenCentral|release:perform)\b/),
  lost('dotnet nuget', /\bnuget (push|delete)\b|^(push|delete)\b/),
  lost('mix', /\bhex\.(publish|retire)\b|\becto\.(drop|reset)\b/),
  lost('pod', /^trunk (push|delete|deprecate)/),
  lost('vsce ovsx', /^(publish|unpublish|unshare)\b/),
  lost('goreleaser semantic-release release-it np changeset standard-version', /^(release|publish)\b|^$/),
  lost('rails rake bin/rails', /\bdb:(drop|reset|purge|truncate_all|schema:load|migrate:reset|rollback|seed:replant)/),
  lost('prisma', /^(migrate reset|db push\b.*(--force-reset|--accept-data-loss)|db execute)/),
  lost(
    'sequelize sequelize-cli knex typeorm drizzle-kit',
    /\b(db:drop|db:migrate:undo:all|migrate:rollback|schema:drop|drop)\b/,
  ),
  lost('php artisan', /\b(migrate:(fresh|reset|refresh|rollback)|db:wipe)\b/),
  lost('python django-admin', /(manage\.py |^)(flush|reset_db|sqlflush|migrate \S+ zero)\b/),
  lost('flask alembic', /\b(downgrade)\b/),
  lost('dropdb dropuser', /\S/),
  lost('mysqladmin', /\b(drop|shutdown|kill|(old-)?password|flush-\S+|re(load|fresh)|st(art|op)-\S+)\b/),
  lost(
    'redis-cli',
    /\b(FLUSHALL|FLUSHDB|SHUTDOWN|CONFIG SET|DEBUG|SCRIPT FLUSH|SWAPDB|REPLICAOF|SLAVEOF|CLUSTER RESET|DEL|UNLINK)\b/i,
  ),
  lost(
    'mongosh mongo',
    /dropDatabase|\.drop\(|deleteMany\(\s*\{\s*\}|remove\(\s*\{\s*\}|shutdownServer|dropUser|dropIndex/,
  ),
  lost('etcdctl', /^(del|.* del)\b/),
  lost(
    'consul vault nomad',
    /^(kv delete|delete|secrets disable|operator (seal|raft remove)|destroy|job stop|kv destroy|kv metadata delete|token revoke|lease revoke|system gc|stop)\b/,
  ),
  lost('kafka-topics kafka-topics.sh', /--delete/),
  lost('rabbitmqctl', /\b(reset|force_reset|delete_\w+|purge_queue|stop_app|stop)\b/),
  lost('velero restic borg duplicity', /\b(delete|forget|prune|remove-all|purge)\b/),
  lost(
    'virsh VBoxManage vboxmanage prlctl multipass lxc incus vagrant limactl colima',
    /\b(destroy|undefine|delete|unregistervm|vol-delete|pool-delete|purge|rm)\b/,
  ),
  ['lxc incus', /security\.(privileged|nesting)=true|raw\.lxc/, 'D1', 'root-shell'],
  lost('ceph', /\b(osd (destroy|purge|rm)|pool (delete|rm)|fs rm)\b/),
  lost('argocd flux', /\b(app delete|delete|uninstall)\b/),
  lost('svn', /\b(delete|rm|remove|revert|cleanup)\b.*(https?:|svn:|--remove|-R)/),
  lost('hg', /^(strip|rollback|update (-C|--clean)|up -C|revert|purge|push (-f|--force))\b/),
  lost('jj', /^(abandon|git push\b.*--deleted|restore|op (restore|abandon))\b/),
  foreign(
    'pip pipx uv uvx poetry pdm',
    new RegExp(
      `${address}|(^| )(--index-url|-i|--extra-index-url|--find-links|-f|--trusted-host|--index|--default-index)[ =]|https?:\\/\\/`,
    ),
  ),
  foreign(
    'npm pnpm yarn bun bunx npx',
    new RegExp(
      `^(install|i|in|add|ci|update|up|global add|exec|x|dlx)\\b.*(\\s${address}|\\s[\\w-][\\w.-]*\\/[\\w.-]+(#\\S*)?(\\s|$)|--registry[= ](?!https:\\/\\/registry\\.(npmjs|yarnpkg))|\\s[^\\s@]\\S*@${address})`,
    ),
  ),
  foreign('cargo', /^(install|add)\b.*(--git|--index|--registry|--path \/)/),
  foreign('go', /^(get|install)\b.*(-insecure)|GOPROXY/),
  foreign('gem bundle', /^(install|config)\b.*(--source|-s |--clear-sources)|^sources? (-a|--add)/),
  foreign('brew', new RegExp(`^(tap|install)\\b.*(${address}|\\/\\S+\\/)|^tap \\S+`)),
  foreign(
    'conda mamba micromamba',
    /^(install|create)\b.*(-c|--channel)[ =](?!conda-forge|defaults|bioconda|pytorch|nvidia)/,
  ),
  foreign('helm', /^(repo add|install\b.*(https?:|oci:)|plugin install|upgrade\b.*(https?:|oci:))/),
  foreign('composer', /^(require|install|config)\b.*(repositor|https?:)/),
  foreign(
    'apt apt-get dnf yum zypper rpm pacman apk dpkg snap flatpak',
    /\b(install|add|-i|-U|-S|localinstall)\b.*(https?:|\.(deb|rpm|apk|snap|flatpak)\b|--allow-unauthenticated|--nogpgcheck|--force-yes|--allow-untrusted|--dangerous|--no-gpg-check)|add-apt-repository|config-manager --add/,
  ),
  foreign('add-apt-repository apt-key', /\S/),
  foreign('code codium cursor', /--install-extension \S*(\.vsix|https?:)/),
  foreign('deno', /^install\b.*https?:/),
  foreign('nix nix-env nix-shell', /(https?|github|git\+https|tarball):/),
  foreign('R Rscript', /install_github|install_url/),
  foreign('krew asdf mise', /^plugin (add|install) \S+ https?:/),
  secret('gh', /^auth (token|status\b.*(-t|--show-token))/),
  secret('glab', /^auth status.*-t|^config get token/),
  secret(
    'aws',
    /\b(configure (get|export-credentials)|secretsmanager get-secret-value|ssm get-parameters?\b.*--with-decryption|sts (get-session-token|assume-role\S*|get-federation-token)|ecr get-login-password|iam create-access-key|kms decrypt|codeartifact get-authorization-token|eks get-token|rds generate-db-auth-token|ecr get-authorization-token)\b/,
  ),
  secret(
    'gcloud',
    /\b(auth (application-default )?print-(access|identity|refresh)-token|secrets versions access|iam service-accounts keys create|auth print-|sql generate-login-token|kms decrypt)/,
  ),
  secret(
    'az',
    /\b(account get-access-token|keyvault secret (show|download)|\S+ keys list|storage account keys|ad sp create-for-rbac|acr credential show|cosmosdb keys|webapp deployment list-publishing)/,
  ),
  secret('vault', /^(kv get|read|token (create|lookup)|print token|unwrap|login|kv export)\b/),
  secret('op', /^(read|item get|document get|inject|signin)\b/),
  secret('doppler infisical chamber teller', /^(secrets|export|get|read|show|env)\b/),
  secret('heroku', /\b(config(:get)?|auth:token|pg:credentials\S*)\b(?!:set|:unset)/),
  secret('fly flyctl', /\bauth token\b|\btokens create\b/),
  secret('npm pnpm yarn', /^(token (list|create)|config (get|list)\b.*(_auth|token|password|--json -l))/),
  secret('docker podman', /^(inspect\b.*Env|secret inspect\b.*--show|login\b.*get)/),
  secret(
    'kubectl oc',
    /^(get secrets?\b.*(-o|--output|--template)|config view\b.*--raw|create token|extract secret|whoami (-t|--show-token))/,
  ),
  secret('helm', /^get (values|all)\b.*secret/),
  secret('terraform tofu', /^output\b.*-raw|^state pull|^show\b.*-json.*secret/),
  secret('gpg gpg2', /--export-secret|--export-secret-(sub)?keys|--export-ssh-key_/),
  secret('openssl', /^(rsa|pkey|ec|dsa|pkcs12|pkcs8)\b(?!.*(-pubout|-noout|-pubin|-check$))/),
  secret('wg', /^(showconf|show\b.*private-key|genkey_)/),
  secret('nmcli', /(-s|--show-secrets)/),
  secret('ansible-vault', /^(view|decrypt|edit)\b/),
  secret('getent', /^g?shadow\b/),
  secret('sops', /(-d|--decrypt|decrypt)\b/),
  secret('age-keygen', /-y/),
  secret('stripe', /^config\b.*--list/),
  stays('chezmoi yadm', /^(apply|update|init\b.*--apply|alt|bootstrap)\b/),
  stays('incrontab fcrontab', /^(?!-l)/),
  stays('pm2', /^startup\b/),
  ['fuser', /(^| )-\w*k/, 'Q2', 'unresolved'],
  ['fdupes jdupes rdfind rmlint', /(^| )-\w*d|delete/, 'Q2', 'deletion'],
  ['udisksctl', /^(un)?mount|^power-off|^loop-setup|^unlock/, 'Q2', 'privilege'],
  ['machinectl', /^(shell|login)\b/, 'D1', 'root-shell'],
  foreign('cpanm cpan', new RegExp(address)),
  foreign('luarocks', /--(server|only-server)[ =]|https?:/),
  foreign('opam', new RegExp(`^(pin|install|repo(sitory)?)\\b.*${address}`)),
  unguards('set', /^\+o history\b/),
  unguards('shopt', /^-\w*u\w*\b.*\b(cmdhist|interactive_comments)\b|^-\w*s\w* .*\bextdebug\b/),
  unguards('unsetopt', /\bzle\b/i),
  unguards('setopt', /\bno_?zle\b/i),
  unguards('history', /(^| )-\w*[acdnrsw]|^(clear|delete)/),
  unguards('fc', /(^| )-[a-z]*[RAWs]/),
  unguards('trap', /^(:|true|''|) ?([A-Z\d]+ )*(SIG)?(INT|2)( |$)|^(?!-[lp]).* DEBUG( |$)/),
  keys(
    'stty',
    /(^| )(intr|quit|erase|kill|eof|eol2?|swtch|start|stop|susp|dsusp|rprnt|werase|lnext|discard|status) \S/,
  ),
  keys('zle', /(^| )-[NACDMfFRUK]/),
  ['zmodload', /\bzsh\/(system|zpty|mapfile|net\/)/, 'Q2', 'smuggled-exec'],
  secret('sqlite3', /(Login Data|cookies\.sqlite|key4\.db|logins\.json|Cookies|Web Data)/),
]

/** For programs without a row, by what the words of such tools usually mean. */
export const unknownTable: readonly Row[] = [
  lost('', /^(\S+ )?(destroy|delete|purge|revert|wipe|erase|drop|nuke)\b/),
  foreign(
    '',
    new RegExp(
      `^(\\S+ )?(install|add|pin|get|require)\\b.*(\\s${address}|--(server|index|registry|source)\\S*[ =]https?:)`,
    ),
  ),
]
