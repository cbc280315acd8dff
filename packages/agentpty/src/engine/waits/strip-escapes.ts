/** Output as searchable text: escape sequences and carriage returns gone, every line feed kept, nothing else changed. */

// OSC, DCS and friends up to their end; CSI; other escapes; control characters but tab and newline.
const escapes =
  /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f]/g

const decoder = new TextDecoder()

export function searchableText(bytes: Uint8Array): string {
  return decoder.decode(bytes).replace(escapes, '')
}
