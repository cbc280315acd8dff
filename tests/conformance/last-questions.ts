/**
 * What is asked after the bytes of a case: whoever has these answers has every reply before them. CAN ends whatever
 * the case has left open, and no case asks these two in this order.
 */

export const lastQuestions = '\x18\x1b[c\x1b[5n'
export const lastAnswers = /\x1b\[\?[\d;]+c\x1b\[0n$/
