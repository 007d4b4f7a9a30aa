// What waits for a person: approvals (approve, edit, reject) and questions.
import { call } from './api.js';
import { asText, make } from './dom.js';

const decisionWords = { approve: 'Approved', reject: 'Rejected', edit: 'Approved with other arguments' };
const byWords = {
  user: 'by you',
  rule: 'by a rule',
  judge: 'by the safety check',
  yolo: 'because everything is approved in this run',
  timeout: 'because nobody answered in time',
  abort: 'because the turn was stopped',
};

/**
 * @param {any} approval as `tool_approval` and `/api/pending` give it
 * @param {(text: string) => void} say shows what went wrong
 */
export function createApprovalCard(approval, say) {
  const { approvalId, name, args, reason, preview, expiresAt } = approval;
  const left = make('span', { className: 'left' });
  const edited = make('textarea', { rows: 6, value: asText(args), spellcheck: false, 'aria-label': 'Arguments as JSON' });
  const why = make('input', { type: 'text', placeholder: 'Reason (optional)', 'aria-label': 'Reason for rejecting' });
  const editing = make('div', { hidden: true }, edited);
  const editButton = make('button', { type: 'button', className: 'quiet', onclick: () => (editing.hidden ? showEditor() : sendEdited()) }, 'Edit');
  const buttons = make(
    'div',
    { className: 'actions' },
    make('button', { type: 'button', onclick: () => decide({ decision: 'approve' }) }, 'Approve'),
    make('button', { type: 'button', className: 'quiet', onclick: () => decide({ decision: 'approve', remember: 'chat' }) }, 'Approve in this chat'),
    editButton,
    make(
      'button',
      { type: 'button', className: 'bad', onclick: () => decide({ decision: 'reject', ...(why.value.trim() === '' ? {} : { reason: why.value.trim() }) }) },
      'Reject',
    ),
    why,
  );
  const shown =
    preview?.kind === 'command'
      ? `${preview.command}\n\nin ${preview.cwd}${preview.network ? ', with network' : ''}`
      : preview?.kind === 'diff'
        ? preview.diff
        : asText(args);
  const body = make('div', {}, reason ? make('p', {}, reason) : null, make('pre', { tabIndex: 0 }, shown), editing, buttons);
  const title = make('h3', {}, 'Approve ', make('code', {}, name), '? ', left);
  const element = make('li', { className: 'entry', role: 'group', 'aria-label': `Approval of ${name}` }, make('section', { className: 'ask' }, title, body));
  const timer = setInterval(showLeft, 1000);
  showLeft();

  function showLeft() {
    const seconds = Math.max(0, Math.round((Date.parse(expiresAt) - Date.now()) / 1000));
    left.textContent = Number.isFinite(seconds) ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left` : '';
  }
  function showEditor() {
    editing.hidden = false;
    editButton.textContent = 'Approve as edited';
    edited.focus();
  }
  function sendEdited() {
    try {
      decide({ decision: 'edit', args: JSON.parse(edited.value) });
    } catch {
      say('The arguments are no valid JSON.');
    }
  }
  /** @param {Record<string, unknown>} decision */
  function decide(decision) {
    setDisabled(true);
    call('POST', '/api/approve', { approvalId, ...decision }).catch((fault) => {
      if (fault.code === 'already_resolved' || fault.code === 'expired' || fault.code === 'not_found') close(fault.message);
      else setDisabled(false);
      say(fault.message);
    });
  }
  /** @param {boolean} isDisabled */
  function setDisabled(isDisabled) {
    for (const one of buttons.querySelectorAll('button, input')) one.disabled = isDisabled;
  }
  /** @param {string} text */
  function close(text) {
    clearInterval(timer);
    left.textContent = '';
    title.replaceChildren(make('code', {}, name), ` ${text}`);
    body.remove();
  }
  return {
    element,
    /** @param {{ decision: keyof typeof decisionWords, by: keyof typeof byWords, reason?: string }} outcome */
    resolve: ({ decision, by, reason: said }) => close(`${decisionWords[decision] ?? decision} ${byWords[by] ?? ''}${said ? `: ${said}` : ''}`),
  };
}

/**
 * @param {any} question as `ask_user` and `/api/pending` give it
 * @param {(text: string) => void} say
 */
export function createQuestionCard({ askId, prompt, options }, say) {
  const own = make('input', { type: 'text', 'aria-label': `Answer to: ${prompt}`, placeholder: options?.length ? 'Or write an answer' : 'Your answer' });
  const form = make(
    'form',
    { className: 'actions', onsubmit: (event) => (event.preventDefault(), own.value.trim() === '' ? own.focus() : answer(own.value.trim())) },
    ...(options ?? []).map((option) => make('button', { type: 'button', className: 'quiet', onclick: () => answer(option) }, option)),
    own,
    make('button', { type: 'submit' }, 'Answer'),
  );
  const section = make('section', { className: 'ask' }, make('h3', {}, prompt), form);

  /** @param {string} text */
  function answer(text) {
    setDisabled(true);
    call('POST', '/api/answer', { askId, answer: text }).catch((fault) => {
      setDisabled(false);
      say(fault.message);
    });
  }
  /** @param {boolean} isDisabled */
  function setDisabled(isDisabled) {
    for (const one of form.querySelectorAll('button, input')) one.disabled = isDisabled;
  }
  return {
    element: make('li', { className: 'entry', role: 'group', 'aria-label': `Question: ${prompt}` }, section),
    /** @param {{ answer: string }} outcome */
    resolve: ({ answer: text }) => form.replaceWith(make('p', {}, `You answered: ${text}`)),
    cancel: () => form.replaceWith(make('p', {}, 'No longer asked.')),
  };
}
