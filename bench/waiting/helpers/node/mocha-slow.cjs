// a suite for mocha's watch mode that takes 1.6 s, without a word in between
describe('stock', () => {
  it('adds up', async () => {
    await new Promise((done) => setTimeout(done, 800))
  })
  it('is sorted', async () => {
    await new Promise((done) => setTimeout(done, 800))
  })
})
