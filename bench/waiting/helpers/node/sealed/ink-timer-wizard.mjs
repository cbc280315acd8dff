// a wizard of ink with a placeholder in its input line; a timer looks for an update every three seconds and changes nothing
import { statSync } from 'node:fs'
import { Box, render, Text } from 'ink'
import SelectInput from 'ink-select-input'
import TextInput from 'ink-text-input'
import React, { useEffect, useState } from 'react'
import { truth } from '../truth.mjs'

const h = React.createElement
setInterval(() => statSync(process.execPath), 3000)
function App() {
  const [step, setStep] = useState('name')
  const [name, setName] = useState('')
  useEffect(() => {
    if (step === 'name' || step === 'kind') truth()
  }, [step])
  const after = (ms, next) => {
    setStep('work')
    setTimeout(() => setStep(next), ms)
  }
  if (step === 'name')
    return h(
      Box,
      null,
      h(Text, null, '? Name of the app › '),
      h(TextInput, { value: name, placeholder: 'my-app', onChange: setName, onSubmit: () => after(3000, 'kind') }),
    )
  if (step === 'kind')
    return h(
      Box,
      { flexDirection: 'column' },
      h(Text, null, '? Which template ›'),
      h(SelectInput, {
        items: [
          { label: 'minimal', value: 'a' },
          { label: 'complete', value: 'b' },
        ],
        onSelect: () => after(60_000, 'name'),
      }),
    )
  return h(Text, null, `✔ ${name || 'my-app'}`)
}
render(h(App))
