/** A problem that the person who started the sandbox can fix; the message is for them. */
export class SandboxProblem extends Error {
  override readonly name = 'SandboxProblem';
}
