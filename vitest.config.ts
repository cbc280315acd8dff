import { configDefaults, defineConfig } from 'vitest/config'

/** What the build writes into the bundle; tests run the sources, so they get recognizable stand-ins. */
const define = { __AGENTPTY_VERSION__: JSON.stringify('0.0.0-test'), __AGENTPTY_BUILD__: JSON.stringify('test') }

const source = (path: string) => new URL(path, import.meta.url).pathname

/** Tests take the sources of the library; programs that take it by its name get what was built of it. */
const library = ['gym', 'testing', 'contracts'].map((name) => ({
  find: `agentpty/${name}`,
  replacement: source(`packages/agentpty/src/${name}.ts`),
}))
const alias = [
  ...library,
  { find: /^agentpty$/, replacement: source('packages/agentpty/src/index.ts') },
  // The module of the editor is there inside an editor only.
  { find: 'vscode', replacement: source('packages/vscode/src/testing/vscode.ts') },
]

/** Tests of the whole engine that need no process and no built package. */
const withoutProcesses = ['tests/simulate/*.test.ts', 'tests/policy/*.test.ts']

/** They look at which code was reached, and are alone with it. */
const ofReachedCode = ['tests/fuzz/fuzz.test.ts']

/** Ends what hangs, and decides nothing else: a machine whose processor is throttled needs five times as long as a usual one. */
const testMs = 180_000

export default defineConfig({
  test: {
    projects: [
      {
        // A copy each: vitest takes the entries out of the object it is given.
        define: { ...define },
        resolve: { alias },
        test: {
          name: 'unit',
          environment: 'node',
          // Nothing of the product is state of a module: loading it anew for each file took longer than the tests.
          isolate: false,
          maxWorkers: 2,
          // How long a test takes on a busy machine says nothing of the program.
          testTimeout: testMs,
          include: [
            'packages/*/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tools/**/*.test.ts',
            'bench/**/*.test.{ts,mjs}',
            ...withoutProcesses,
          ],
        },
      },
      {
        define: { ...define },
        resolve: { alias },
        test: { name: 'fuzz', environment: 'node', maxWorkers: 2, testTimeout: testMs, include: ofReachedCode },
      },
      {
        define: { ...define },
        resolve: { alias },
        test: {
          name: 'system',
          environment: 'node',
          // What was built is not built again.
          server: { deps: { external: [/\/packages\/agentpty\/dist\//] } },
          include: ['tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...withoutProcesses, ...ofReachedCode],
          pool: 'forks',
          // Every file starts processes of its own and waits for them: three at once keep two cores busy.
          maxWorkers: 3,
          testTimeout: testMs,
          hookTimeout: testMs,
        },
      },
    ],
  },
})
