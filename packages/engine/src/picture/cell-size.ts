/** The measures of a picture, in pixels. Lines of box drawing lie on whole pixels, so they are sharp. */

export const cellWidth = 9
export const cellHeight = 18
/** 0.602 of it is the advance of DejaVu Sans Mono: nine pixels. */
export const fontSize = 14.95
/** From the top of a cell. */
export const baseline = 14
/** Around the cells. */
export const padding = 6

/** The middle of a cell, where thin lines lie. */
export const middleX = 4.5
export const middleY = 9.5
