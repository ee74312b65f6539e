// Runs the property tests again with all their values. The short tier tries only a fifth of them.
import './exchange/list-scanner.test.ts';
import './features/contacts/compare.test.ts';
import './features/contacts/reconcile.test.ts';
import './features/contacts/table.test.ts';
import './hostile/encryption.test.ts';
import './hostile/names.test.ts';
import './hostile/readers.test.ts';
import './hostile/texts.test.ts';
import './hostile/typed.test.ts';
import './hostile/view-data.test.ts';
