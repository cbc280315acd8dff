/** Returns a function that works the value out when it is first asked for, and keeps it. */
export function once<Value>(workOut: () => Value): () => Value {
  let known: { readonly value: Value } | null = null
  return () => {
    known ??= { value: workOut() }
    return known.value
  }
}
