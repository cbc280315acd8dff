/** Keys that edit a line, by name: those of the emacs mode and of the vi mode. */

const keys = [
  ...['left', 'right', 'up', 'down', 'home', 'end', 'delete', 'backspace', 'backspace', 'tab', 'escape'],
  ...[
    'ctrl+a',
    'ctrl+e',
    'ctrl+k',
    'ctrl+u',
    'ctrl+w',
    'ctrl+y',
    'ctrl+t',
    'ctrl+_',
    'ctrl+b',
    'ctrl+f',
    'ctrl+p',
    'ctrl+n',
  ],
  ...['alt+d', 'alt+b', 'alt+f', 'alt+.', 'alt+y', 'alt+backspace', 'alt+t', 'alt+u', 'alt+5', 'alt+2'],
  ...[
    'ctrl+r',
    'ctrl+g',
    'ctrl+o',
    'ctrl+j',
    'ctrl+q',
    'ctrl+v',
    'ctrl+l',
    'alt+#',
    'alt+q',
    'alt+a',
    'alt+enter',
    'ctrl+c',
  ],
  ...['x', '#', '"', ' ', ';', '\u00e9', '\u{1f600}'],
]
const viKeys = ['escape', '0', '$', 'x', 'd', 'w', 'D', 'p', 'P', 'u', 'i', 'A', 'b', 'k', 'j', '.', '#', 'v', '/']

export const editingKeys = [...keys, ...keys, ...viKeys]
