/** The set-up can't continue. The message says what to do. */
export class SetupProblem extends Error {
  override readonly name = 'SetupProblem';
}
