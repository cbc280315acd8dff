/** Line icons of 20 pixels. They accompany text, so screen readers skip them. */

const paths = {
  agents: 'M4 5h12M4 10h12M8 15h8M4 15h.01',
  terminal: 'M4 6l4 4-4 4M10 14h6',
  wall: 'M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z',
  devices: 'M3 5h14v9H3zM7 17h6',
  add: 'M10 4v12M4 10h12',
  replay: 'M4 10a6 6 0 106-6H6m3-3L6 4l3 3M10 7v3l2 2',
  recordings: 'M3 5h14v10H3zM8.500 7.500v5l4-2.500z',
  play: 'M7 4l9 6-9 6z',
  pause: 'M7 4v12M13 4v12',
  previous: 'M15 5l-7 5 7 5zM5 5v10',
  next: 'M5 5l7 5-7 5zM15 5v10',
  above: 'M5 12l5-5 5 5M5 4h10',
  below: 'M5 8l5 5 5-5M5 16h10',
  output: 'M4 4l3 3-3 3M9 10h4M8 13h9v4H8z',
  close: 'M5 5l10 10M15 5L5 15',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  split: 'M3 4h14v12H3zM10 4v12',
  fit: 'M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4',
  rename: 'M4 16l1-4 8-8 3 3-8 8z',
  signal: 'M11 3L5 11h4l-1 6 6-8h-4z',
  read: 'M5 3h7l3 3v11H5zM8 9h4M8 12h4',
  person: 'M10 3a3 3 0 110 6 3 3 0 010-6M4 17c0-4 2.7-6 6-6s6 2 6 6',
  appearance: 'M10 3a7 7 0 100 14zM10 3a7 7 0 010 14',
  needs:
    'M4 11V6a1.5 1.5 0 013 0m0 4V4a1.5 1.5 0 013 0v6m0-5a1.5 1.5 0 013 0v5m0-3a1.5 1.5 0 013 0v5c0 3-2 5-5 5s-4-1-6-4l-2.500-3.500',
  pin: 'M7 3h6l-1 5 3 3v1H5v-1l3-3zM10 12v5',
  look: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 8a2 2 0 110 4 2 2 0 010-4',
  bell: 'M5 14V9a5 5 0 0110 0v5l1.500 1H3.500zM8.500 17h3',
  send: 'M3 10h13M11 5l5 5-5 5',
  earlier: 'M4 10a6 6 0 106-6c-2 0-3.500 1-4.500 2.500M5 3v4h4M10 7v3l2 2',
  link: 'M8.500 11.500l3-3M9 6.500l2-2a3.200 3.200 0 014.500 4.500l-2 2M11 13.500l-2 2a3.200 3.200 0 01-4.500-4.500l2-2',
  find: 'M9 3.500a5.500 5.500 0 110 11 5.500 5.500 0 010-11M13 13l4 4',
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
