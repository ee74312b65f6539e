/** A virtual DOM node; `patch` updates the page, changing only what differs. */
export interface VNode {
  tag: string;
  props: Props;
  children: Child[];
}

export type Child = VNode | string;
export type Content = Child | false | undefined | readonly Content[];

export interface Props {
  /** Identifies one of several siblings: a node with a key keeps its element when it moves. */
  key?: string;
  /** Called once, when the element was added to the page or is about to be removed. */
  mounted?: (element: HTMLElement) => void;
  leaving?: (element: HTMLElement) => void;
  /** Attributes, or a function for `on…`. */
  [name: string]: unknown;
}

export function h(tag: string, props: Props = {}, ...content: Content[]): VNode {
  return { tag, props, children: flat(content) };
}

function flat(content: readonly Content[]): Child[] {
  return content.flatMap((one): Child[] => {
    if (one === undefined || one === false || one === '') return [];
    return Array.isArray(one) ? flat(one) : [one as Child];
  });
}

const drawn = new WeakMap<Node, VNode>();
const drawings = new Set(['svg', 'path', 'circle', 'rect']);

/** Updates the children of an element. */
export function patch(parent: Element, children: readonly Child[]): void {
  const before = [...parent.childNodes];
  const taken = new Set<Node>();
  const nodes = children.map((child) => {
    const old = before.find((node) => !taken.has(node) && isAlike(node, child));
    if (old === undefined) return create(child);
    taken.add(old);
    update(old, child);
    return old;
  });
  // Remove first, so that remaining elements needn't move: an element loses the focus when it moves.
  for (const node of before) if (!taken.has(node)) remove(node);
  nodes.forEach((node, index) => {
    if (parent.childNodes[index] === node) return;
    parent.insertBefore(node, parent.childNodes[index] ?? null);
    if (!taken.has(node) && parent.isConnected) announce(node, 'mounted');
  });
}

function isAlike(node: Node, child: Child): boolean {
  if (typeof child === 'string') return node.nodeType === Node.TEXT_NODE;
  const old = drawn.get(node);
  return old?.tag === child.tag && old.props.key === child.props.key;
}

function create(child: Child): ChildNode {
  if (typeof child === 'string') return document.createTextNode(child);
  const element = drawings.has(child.tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', child.tag)
    : document.createElement(child.tag);
  apply(element, {}, child.props);
  patch(element, child.children);
  drawn.set(element, child);
  return element;
}

function update(node: ChildNode, child: Child): void {
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  apply(node as Element, drawn.get(node)?.props ?? {}, child.props);
  drawn.set(node, child);
  patch(node as Element, child.children);
}

function apply(element: Element, before: Props, after: Props): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (['key', 'mounted', 'leaving'].includes(name)) continue;
    const value = after[name];
    if (name.startsWith('on')) Object.assign(element, { [name]: value ?? null });
    else if (name === 'value') setValue(element as HTMLInputElement, before.value, value);
    else if (name === 'shows') setShown(element as HTMLInputElement, String(value));
    else if (name === 'checked' || name === 'disabled') Object.assign(element, { [name]: value === true });
    else if (value === undefined || value === false) element.removeAttribute(name);
    else if (before[name] !== value) element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** While a person types, their text wins over the server's, which can be a moment old. */
function setValue(element: HTMLInputElement, before: unknown, value: unknown): void {
  if (before === value || element === document.activeElement) return;
  element.value = String(value ?? '');
}

/** For state of this page only, which is always current. */
function setShown(element: HTMLInputElement, value: string): void {
  if (element.value !== value) element.value = value;
}

function remove(node: ChildNode): void {
  announce(node, 'leaving');
  node.remove();
}

/** Innermost first. */
function announce(node: Node, what: 'mounted' | 'leaving'): void {
  for (const child of node.childNodes) announce(child, what);
  drawn.get(node)?.props[what]?.(node as HTMLElement);
}
