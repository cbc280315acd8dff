// a development server whose start takes a while
module.exports = {
  clearScreen: false,
  server: { port: 0, host: '127.0.0.1' },
  optimizeDeps: { noDiscovery: true },
  plugins: [{ name: 'slow-start', configureServer: () => new Promise((done) => setTimeout(done, 1400)) }],
}
