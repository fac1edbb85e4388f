/** The port says no: a kind that the protocol knows, the rule, and words for people.  Any other error is a crash. */
export class Refusal extends Error {
  constructor(kind, rule, message) {
    super(message)
    this.kind = kind
    this.rule = rule
  }
}
