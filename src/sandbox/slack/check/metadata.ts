import { type Check, child, createCheckState, refuse, rootOf } from './path.ts';
import { type Problem, problemIn } from './problem.ts';
import { isFields, list, object } from './shapes.ts';
import { finiteNumber, flag, matching, text } from './values.ts';

const anyString = text(Number.POSITIVE_INFINITY, 0);

const scalar: Check = (value, path) => {
  if (typeof value === 'string') anyString(value, path);
  else if (typeof value === 'number') finiteNumber(value, path);
  else flag(value, path);
};

const flat = fieldsOf(scalar);
const flatList = list(flat, { min: 0 });

const payload = fieldsOf((value, path) => {
  const check = Array.isArray(value) ? flatList : isFields(value) ? flat : scalar;
  check(value, path);
});

const metadata = object({
  required: { event_type: matching(/^\w{1,255}$/, 'letters, digits and underscores'), event_payload: payload },
});

/** Checks an event's type and payload. Work objects (`entities`) aren't supported by the sandbox. */
export function checkMetadata(value: unknown): Problem | undefined {
  if (!isFields(value)) return { error: 'invalid_metadata_format', messages: [] };
  const state = createCheckState('message');
  metadata(value, child(rootOf(state), 'metadata'));
  return problemIn(state, 'invalid_metadata_schema');
}

/** An object with arbitrary field names. */
function fieldsOf(check: Check): Check {
  return (value, path) => {
    if (!isFields(value)) return refuse(path, 'must provide an object');
    for (const [name, field] of Object.entries(value)) check(field, child(path, name));
  };
}
