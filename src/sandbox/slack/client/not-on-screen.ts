/** Not on the screen yet; it can still appear. */
export class NotOnScreen extends Error {}
