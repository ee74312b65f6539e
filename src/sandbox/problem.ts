/** Something that whoever started the sandbox can mend; the message is for them. */
export class SandboxProblem extends Error {
  override readonly name = 'SandboxProblem';
}
