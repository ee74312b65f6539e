import { h, type VNode } from './dom.ts';
import type { Element } from './element.ts';
import { icon } from './icons.ts';
import { act, ignoreErrors, upload } from './server.ts';
import { local, redraw, toast, ui } from './ui.ts';

const maxBytes = 10_000_000;

/** File input of a form. Like Slack's own client, it enforces the limits on number and size. */
export function fileField({ ref, id, raw, entered, describedBy, isInvalid }: Element): VNode {
  const state = local(`files ${id}`, () => ({ isOver: false, busy: 0 }));
  const max = Number(raw.max_files ?? 10);
  const ids = entered.chosen.map(({ value }) => value);
  const isFilled = ids.length > 0 || state.busy > 0;

  async function attach(files: readonly File[]): Promise<void> {
    const large = files.find(({ size }) => size > maxBytes);
    if (large) return toast(`${large.name} exceeds 10 MB.`);
    if (ids.length + state.busy + files.length > max) return toast(`You can attach at most ${max} files here.`);
    const countUploads = (change: number) => {
      state.busy += change;
      ui.uploads += change;
      redraw();
    };
    countUploads(files.length);
    try {
      const uploaded = await Promise.all(files.map(upload));
      await act('change', { ref, added: uploaded.map((file) => file.id) });
    } finally {
      countUploads(-files.length);
    }
  }

  function onPick(event: Event): void {
    const input = event.target as HTMLInputElement;
    ignoreErrors(attach([...(input.files ?? [])]));
    input.value = '';
  }

  function dragHandler(isOver: boolean): (event: DragEvent) => void {
    return (event) => {
      event.preventDefault();
      event.stopPropagation();
      state.isOver = isOver;
      redraw();
      if (event.type === 'drop') ignoreErrors(attach([...(event.dataTransfer?.files ?? [])]));
    };
  }

  return h(
    'div',
    {
      key: id,
      class: `file-field ${state.isOver ? 'over' : ''} ${isFilled ? 'filled' : ''}`,
      ondragover: dragHandler(true),
      ondragleave: dragHandler(false),
      ondrop: dragHandler(false),
    },
    h('input', {
      type: 'file',
      id,
      multiple: max > 1,
      'aria-describedby': describedBy,
      'aria-invalid': isInvalid === true && 'true',
      onchange: onPick,
    }),
    h(
      'ul',
      { class: 'tokens' },
      entered.chosen.map(({ label, value }) =>
        h(
          'li',
          { key: String(value), class: 'token' },
          icon('file'),
          label,
          h(
            'button',
            {
              type: 'button',
              'aria-label': `Remove ${label}`,
              onclick: () => ignoreErrors(act('change', { ref, removed: [value] })),
            },
            icon('close'),
          ),
        ),
      ),
      state.busy > 0 && h('li', { class: 'dim' }, 'Uploading…'),
    ),
  );
}
