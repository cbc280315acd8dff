/**
 * The queries after the bytes of a case. Their answers prove that all earlier replies have arrived. CAN ends any sequence
 * that the case has left open, and no case sends these two in this order.
 */

export const lastQuestions = '\x18\x1b[c\x1b[5n'
export const lastAnswers = /\x1b\[\?[\d;]+c\x1b\[0n$/
