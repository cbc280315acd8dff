export { type FrameOptions, frameTimes, playedTimes, ScreenOfCast } from './cast-frames.ts'
export { cellHeight, fontSize, padding } from './cell-size.ts'
export { drawCells, drawRow, escaped } from './draw-cells.ts'
export { type Theme, type ThemeName, themes } from './themes.ts'
export {
  drawPixels,
  fontFamily,
  GifWriter,
  type PixelSize,
  pixelSize,
  svgAround,
  writePng,
  writeSvg,
} from './write-pictures.ts'
