/** Thrown for something that isn't on the screen. It can still appear, so `person/wait.ts` retries. */
export class NotOnScreen extends Error {}
