/** Every bound of pictures of screens. */

const MiB = 1_024 * 1_024

/** The longer side of a picture for models: larger ones are scaled down by those who show them. */
export const pictureSidePixelsMax = 2_000
/** Of a PNG, before it is spelled in base64: models take five megabytes of that. */
export const pictureBytesMax = 3.5 * MiB
/** Of an SVG: a screen of 200 × 60 of which each cell has colours of its own is half of it. */
export const svgBytesMax = 4 * MiB
