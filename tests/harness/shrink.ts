/** Reduces failing steps to the fewest that still fail in the same way, by leaving some out. */

/** Errors: those that `fails` throws. `triesMax` limits its calls. */
export async function shrink<Step>(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
  triesMax: number,
): Promise<readonly Step[]> {
  let left = steps
  let tries = 0
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < left.length; ) {
      if (++tries > triesMax) return left
      const fewer = [...left.slice(0, at), ...left.slice(at + size)]
      if (await fails(fewer)) left = fewer
      else at += size
    }
  }
  return left
}
