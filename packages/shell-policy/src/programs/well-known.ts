/** Pagers, editors and the like that programs are told to use every day. */
const wellKnown =
  /^(true|false|cat|:|less|more|most|bat|batcat|delta|diff-so-fancy|vi|vim|nvim|nano|pico|emacs|emacsclient|code|codium|subl|micro|hx|helix|kak|joe|ed|mate|gedit|kate|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ccache|sccache|ssh|ld|lld|mold|tcc|zig|osxkeychain|store|cache|manager|libsecret|gh|firefox|chromium|google-chrome|xdg-open|open|meld|vimdiff|nvimdiff|gpg|gpg2|ssh-keygen|gzip|pigz|zstd|xz|bzip2|lz4|pbzip2|lzip|brotli|lbzip2|unpigz|zstdmt|pixz)$/

/** One of these, and nothing else that could run something. */
export function isWellKnown(text: string): boolean {
  const words = text.trim().split(/\s+/)
  const [name = '', ...rest] = words
  if (/[;&|<>$`(){}!\0\n]/.test(text)) return false
  if (name === 'ssh' || name.endsWith('/ssh'))
    return !rest.some((word) => /^-(o|F)|ProxyCommand|LocalCommand/i.test(word))
  return wellKnown.test(name.replace(/^\/usr\/(local\/)?bin\//, ''))
}
