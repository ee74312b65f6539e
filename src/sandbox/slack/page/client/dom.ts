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
  /** Called once after the element is added to the page. */
  mounted?: (element: HTMLElement) => void;
  /** Called once before the element is removed. */
  beforeRemove?: (element: HTMLElement) => void;
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

const rendered = new WeakMap<Node, VNode>();
const svgTags = new Set(['svg', 'path', 'circle', 'rect']);

/** Updates the children of an element. */
export function patch(parent: Element, children: readonly Child[]): void {
  const before = [...parent.childNodes];
  const reused = new Set<Node>();
  const nodes = children.map((child) => {
    const old = before.find((node) => !reused.has(node) && isSameNode(node, child));
    if (old === undefined) return create(child);
    reused.add(old);
    update(old, child);
    return old;
  });
  // Remove first, so that remaining elements needn't move: an element loses the focus when it moves.
  for (const node of before) if (!reused.has(node)) remove(node);
  nodes.forEach((node, index) => {
    if (parent.childNodes[index] === node) return;
    parent.insertBefore(node, parent.childNodes[index] ?? null);
    if (!reused.has(node) && parent.isConnected) runHook(node, 'mounted');
  });
}

function isSameNode(node: Node, child: Child): boolean {
  if (typeof child === 'string') return node.nodeType === Node.TEXT_NODE;
  const old = rendered.get(node);
  return old?.tag === child.tag && old.props.key === child.props.key;
}

function create(child: Child): ChildNode {
  if (typeof child === 'string') return document.createTextNode(child);
  const element = svgTags.has(child.tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', child.tag)
    : document.createElement(child.tag);
  apply(element, {}, child.props);
  patch(element, child.children);
  rendered.set(element, child);
  return element;
}

function update(node: ChildNode, child: Child): void {
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  apply(node as Element, rendered.get(node)?.props ?? {}, child.props);
  rendered.set(node, child);
  patch(node as Element, child.children);
}

function apply(element: Element, before: Props, after: Props): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (['key', 'mounted', 'beforeRemove'].includes(name)) continue;
    const value = after[name];
    if (name.startsWith('on')) Object.assign(element, { [name]: value ?? null });
    else if (name === 'value') setValue(element as HTMLInputElement, before.value, value);
    else if (name === 'currentValue') setCurrentValue(element as HTMLInputElement, String(value));
    else if (name === 'checked' || name === 'disabled') Object.assign(element, { [name]: value === true });
    else if (value === undefined || value === false) element.removeAttribute(name);
    else if (before[name] !== value) element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** Keeps the text of a focused field: the server's copy can be older. */
function setValue(element: HTMLInputElement, before: unknown, value: unknown): void {
  if (before === value || element === document.activeElement) return;
  element.value = String(value ?? '');
}

/** Sets the value even during typing: for state of this page, which is always current. */
function setCurrentValue(element: HTMLInputElement, value: string): void {
  if (element.value !== value) element.value = value;
}

function remove(node: ChildNode): void {
  runHook(node, 'beforeRemove');
  node.remove();
}

/** Runs a hook of the node and its descendants, innermost first. */
function runHook(node: Node, hook: 'mounted' | 'beforeRemove'): void {
  for (const child of node.childNodes) runHook(child, hook);
  rendered.get(node)?.props[hook]?.(node as HTMLElement);
}
