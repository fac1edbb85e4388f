/** A request that the protocol does not allow: the suite's fault, never a refusal by what is under test. */
export class BadRequest extends Error {}
