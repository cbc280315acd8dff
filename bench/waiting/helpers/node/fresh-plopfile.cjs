// plop: one generator with three questions, and an action that takes long
module.exports = (plop) => {
  plop.setGenerator('component', {
    description: 'a new component',
    prompts: [
      { type: 'input', name: 'name', message: 'Name of the component' },
      { type: 'list', name: 'kind', message: 'Kind', choices: ['button', 'field', 'table'] },
      { type: 'confirm', name: 'tests', message: 'With tests?' },
    ],
    actions: [() => new Promise((done) => setTimeout(done, 5000))],
  })
}
