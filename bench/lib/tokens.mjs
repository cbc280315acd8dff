/** Tokens as OpenAI's o200k vocabulary counts them; other models differ by a few percent, peers by factors. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'

export const countTokens = (text) => encode(text, { allowedSpecial: 'all' }).length
