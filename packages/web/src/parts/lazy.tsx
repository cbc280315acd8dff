import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { sayError } from '../store/store.ts'

type View<Props> = (props: Props) => ComponentChildren

/** A view that is loaded when it is shown for the first time, and `Waiting` until then. The first load of the page is smaller without it. */
export function lazy<Props extends object>(
  load: () => Promise<View<Props>>,
  Waiting: View<object> = () => null,
): View<Props> {
  const loaded = signal<{ readonly Loaded: View<Props> } | null>(null)
  return (props) => {
    const shown = loaded.value
    useEffect(() => {
      if (shown !== null) return
      load()
        .then((Loaded) => {
          loaded.value = { Loaded }
        })
        .catch(sayError)
    }, [])
    return shown === null ? <Waiting /> : <shown.Loaded {...props} />
  }
}
