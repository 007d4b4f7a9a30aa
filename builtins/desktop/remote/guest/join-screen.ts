// Renders the form for the code and the name of this device.
import { deviceName } from '#lib/device-name';
import { messageOf } from '#lib/errors';
import { element, setText } from './elements.ts';
import type { GuestTransport, Joined } from './transport.ts';

interface JoinParts {
  readonly way: GuestTransport;
  /** Reason why the user returned to this form. */
  readonly notice?: string;
  readonly onJoined: (joined: Joined) => void;
}

const keptName = 'remote-guest-name';

export function showJoin(root: HTMLElement, { way, notice, onJoined }: JoinParts): void {
  const code = element('input', {
    ...{ id: 'code', name: 'code', class: 'field code-field', autocomplete: 'one-time-code', autocapitalize: 'characters', spellcheck: 'false' },
    ...{ required: true, maxlength: '64', value: notice === undefined ? (way.code ?? '') : '', 'aria-describedby': 'join-problem' },
  });
  const name = element('input', {
    ...{ id: 'name', name: 'name', class: 'field', autocomplete: 'off', required: true, maxlength: '60' },
    value: localStorage.getItem(keptName) ?? deviceName(navigator.userAgent),
  });
  const problem = element('p', { id: 'join-problem', class: 'problem', role: 'alert' });
  const go = element('button', { type: 'submit', class: 'button primary' }, 'Join');
  const form = element(
    'form',
    { class: 'join-form' },
    element('label', { for: 'code' }, 'Code', code),
    element('label', { for: 'name' }, 'Name of this device', name),
    element(
      'p',
      { class: 'quiet' },
      `The host sees this name and the address of this device.${way.words ? '' : ' The picture is not encrypted in this network.'}`,
    ),
    problem,
    go,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void join();
  });

  async function join(): Promise<void> {
    go.disabled = true;
    setText(problem, '');
    setText(go, 'Joining…');
    try {
      localStorage.setItem(keptName, name.value.trim());
      onJoined(await way.join(code.value.replace(/[\s-]/g, '').toUpperCase(), name.value.trim()));
    } catch (fault) {
      setText(problem, messageOf(fault));
      go.disabled = false;
      setText(go, 'Join');
      code.focus();
    }
  }

  root.replaceChildren(
    element(
      'main',
      { class: 'join' },
      element('h1', {}, document.title),
      element('p', {}, 'View the window of another machine here, and control it if its owner allows it.'),
      ...(notice === undefined ? [] : [element('p', { class: 'notice', role: 'status' }, notice)]),
      form,
      element(
        'p',
        { class: 'quiet for-phones' },
        'Is this your own phone? Pair it instead, on the page Account of the host: chats are then shown as text in a readable size.',
      ),
    ),
  );
  (code.value === '' ? code : go).focus();
}
