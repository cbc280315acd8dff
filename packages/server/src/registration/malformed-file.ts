/** A client's file that cannot be read: it is left alone, and the error says what is wrong with it. */
export class MalformedFile extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'MalformedFile'
  }
}
