// an ink application in the shape of a coding agent: a prompt line that stays drawn, a spinner while it thinks, a permission list
import { Box, render, Text, useApp } from 'ink'
import SelectInput from 'ink-select-input'
import Spinner from 'ink-spinner'
import TextInput from 'ink-text-input'
import React, { useEffect, useState } from 'react'
import { truth } from './truth.mjs'

const h = React.createElement
function App() {
  const [mode, setMode] = useState('ask')
  const [text, setText] = useState('')
  const [round, setRound] = useState(1)
  const { exit } = useApp()
  useEffect(() => {
    if (mode !== 'think') truth()
  }, [mode])
  const think = (ms, next) => {
    setMode('think')
    setTimeout(() => {
      setMode(next)
      setRound((r) => r + 1)
    }, ms)
  }
  return h(
    Box,
    { flexDirection: 'column' },
    h(Text, null, `turn ${round}`),
    mode === 'think' ? h(Text, null, h(Spinner, { type: 'dots' }), ' Thinking') : null,
    mode === 'allow'
      ? h(
          Box,
          { flexDirection: 'column' },
          h(Text, null, 'Allow this command?'),
          h(SelectInput, {
            items: [
              { label: 'Yes', value: 'y' },
              { label: 'No', value: 'n' },
            ],
            onSelect: () => think(1500, 'ask'),
          }),
        )
      : null,
    h(
      Box,
      { borderStyle: 'round' },
      h(Text, null, '> '),
      h(TextInput, {
        value: text,
        focus: mode === 'ask',
        onChange: setText,
        onSubmit: (v) => {
          setText('')
          v === 'exit' ? exit() : think(2000, 'allow')
        },
      }),
    ),
  )
}
render(h(App))
