// @inkjs/ui as installers use it: a spinner, an email input, a list with several choices, a yes/no by one key, a spinner again
import { ConfirmInput, EmailInput, MultiSelect, Spinner } from '@inkjs/ui'
import { Box, render, Text } from 'ink'
import React, { useEffect, useState } from 'react'
import { truth } from './truth.mjs'

const h = React.createElement
const work = { 0: 1200, 2: 1300, 5: 60_000 }
function App() {
  const [step, setStep] = useState(0)
  const next = () => setStep((s) => s + 1)
  useEffect(() => {
    if (work[step] === undefined) return truth()
    const timer = setTimeout(() => setStep((s) => s + 1), work[step])
    return () => clearTimeout(timer)
  }, [step])
  if (work[step] !== undefined) return h(Spinner, { label: 'Working' })
  if (step === 1)
    return h(Box, null, h(Text, null, 'Your address: '), h(EmailInput, { placeholder: 'me@host', onSubmit: next }))
  if (step === 3)
    return h(
      Box,
      { flexDirection: 'column' },
      h(Text, null, 'Which parts?'),
      h(MultiSelect, {
        options: ['core', 'docs', 'tests'].map((part) => ({ label: part, value: part })),
        onSubmit: next,
      }),
    )
  return h(Box, null, h(Text, null, 'Install them? '), h(ConfirmInput, { onConfirm: next, onCancel: next }))
}
render(h(App))
