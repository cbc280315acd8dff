// an ink application that works without any sign: it keeps its prompt drawn while a timer runs
import { render, Text, useInput } from 'ink'
import React, { useEffect, useState } from 'react'
import { truth } from './truth.mjs'

function App() {
  const [n, setN] = useState(0)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (!busy) truth()
  }, [busy])
  useInput(() => {
    if (busy) return
    setBusy(true)
    setTimeout(() => {
      setN((x) => x + 1)
      setBusy(false)
    }, 1400)
  })
  return React.createElement(Text, null, `count ${n}, press a key: `)
}
render(React.createElement(App))
