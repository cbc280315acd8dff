import { test } from 'node:test'

test('stock is counted', () => new Promise((done) => setTimeout(done, 2000)))
