/** Every bound of secrets that are masked. */

/** Secrets kept to be masked, and how long one may be: shorter ones would mask words that are none. */
export const secretsMax = 128
export const secretCharactersMin = 6
export const secretCharactersMax = 1_024
/** Of a list of names of variables in `config.yaml`. */
export const variableNamesCharactersMax = 2_000
