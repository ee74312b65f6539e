/** Set-up can't go on; the message says what to do. */
export class SetupProblem extends Error {
  override readonly name = 'SetupProblem';
}
