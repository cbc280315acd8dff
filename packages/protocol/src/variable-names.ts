/** Names of variables as a person lists them: `AWS_*, DEPLOY_CODE`. `*` is any characters. */

export function namesIn(list: string): (name: string) => boolean {
  const names = list.split(',').map((name) => name.trim())
  const patterns = names.filter((name) => name !== '').map((name) => new RegExp(`^${name.replaceAll('*', '.*')}$`))
  return (name) => patterns.some((pattern) => pattern.test(name))
}
