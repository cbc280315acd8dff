/** Line icons of 20 pixels. They stand beside words, and are passed over by screen readers. */

const paths = {
  agents: 'M4 5h12M4 10h12M8 15h8M4 15h.01',
  terminal: 'M4 6l4 4-4 4M10 14h6',
  wall: 'M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z',
  devices: 'M3 5h14v9H3zM7 17h6',
  add: 'M10 4v12M4 10h12',
  close: 'M5 5l10 10M15 5L5 15',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  fit: 'M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4',
  rename: 'M4 16l1-4 8-8 3 3-8 8z',
  signal: 'M11 3L5 11h4l-1 6 6-8h-4z',
  read: 'M5 3h7l3 3v11H5zM8 9h4M8 12h4',
  lock: 'M5 9h10v8H5zM7 9V6a3 3 0 016 0v3',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
