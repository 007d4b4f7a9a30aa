// The page: connects the parts. What it shows comes from the transcript and from events, nothing is kept elsewhere.
import { authHeaders, call, forgetToken, useToken, withQuery } from './api.js';
import { createChatList } from './chat-list.js';
import { createConversation } from './conversation.js';
import { byId } from './dom.js';
import { createApprovalCard, createQuestionCard } from './questions.js';
import { openStream } from './stream.js';
import { createWatch } from './watch.js';

const pageSize = 100;
/** How close to the end counts as reading along, in pixels. */
const followDistance = 80;
/** Kinds that show the agent at work; `harness_running` is not one. */
const signs = /^(?:text|tool_|subtask_|compose_preview|turn_|provider_retry|message_accepted|approval_|ask_user)/;

/** What a turn waits for after such an event. */
const waitsFor = {
  turn_start: 'model',
  tool_start: 'tool',
  tool_result: 'model',
  tool_approval: 'approval',
  approval_decision: 'tool',
  ask_user: 'answer',
  ask_user_answered: 'tool',
  provider_retry: 'retry',
};

const scroller = byId('scroller');
const textField = byId('text');
let openId = '';
let isBusy = false;
let cursor = '';
let isFollowing = true;
/** Events that came while the chat was being read; `undefined` when it is read. @type {any[] | undefined} */
let waiting = [];
let reads = 0;
/** @type {{ restart(): void } | undefined} */
let stream;

const say = (text) => (byId('notice').textContent = text);
const attempt = (work) => work().catch((fault) => (fault.status === 401 ? askForToken('This token is not accepted (any more).') : say(fault.message)));
const conversation = createConversation(byId('log'), {
  onChange: () => isFollowing && (scroller.scrollTop = scroller.scrollHeight),
  onGap: () => void attempt(readChat),
});
const chatList = createChatList({
  say,
  onOpen: (chat) => attempt(() => openChat(chat, { activate: true })),
  onList: (chats) => (byId('chat-title').textContent = chats.find((chat) => chat.chatId === openId)?.title ?? ''),
});
const watch = createWatch({
  openId: () => openId,
  isBusy: () => isBusy,
  onIdle: () => (setBusy(false), attempt(readChat)),
  onBusy: () => setBusy(true),
  trace: conversation.trace,
});

function setBusy(next) {
  isBusy = next;
  byId('abort').hidden = !next;
  byId('send').textContent = next ? 'Queue' : 'Send';
  byId('log').setAttribute('aria-busy', String(next));
  chatList.setBusy(openId, next);
  watch.show();
}

async function start() {
  const config = await call('GET', '/api/config');
  if (Object.keys(authHeaders()).length === 0 && config.webAuthToken) useToken(config.webAuthToken);
  byId('sign-in').hidden = true;
  byId('composer').hidden = false;
  byId('demo').hidden = config.demoModel !== true;
  if (stream) stream.restart();
  else stream = openStream({ onEvent, onState: onStreamState });
}

function askForToken(why) {
  forgetToken();
  byId('sign-in').hidden = false;
  byId('composer').hidden = true;
  byId('sign-in-error').textContent = why;
  byId('token').focus();
}

function onStreamState(state) {
  if (state === 'refused') askForToken('This token is not accepted (any more).');
  watch.setStream(state);
}

function onEvent(event) {
  if (event.kind === 'connected' || event.kind === 'resync' || event.kind === 'transcript_replay') {
    if (event.kind !== 'connected' || openId === '') void attempt(readAll);
    return;
  }
  if (event.kind === 'chat_updated') chatList.readSoon();
  if (event.kind === 'turn_start' || event.kind === 'turn_end') chatList.setBusy(event.chatId, event.kind === 'turn_start');
  if (event.chatId !== undefined && event.chatId !== openId) return;
  if (event.kind === 'chat_switched') return;
  if (waiting) waiting.push(event);
  else take(event);
}

function take(event) {
  if (signs.test(event.kind)) watch.sign();
  if (event.kind === 'harness_running') return void watch.setWaitingFor(event.waitingFor);
  conversation.take(event);
  if (event.kind === 'turn_start') setBusy(true);
  if (event.kind === 'turn_end') void attempt(checkStillBusy);
  if (event.kind in waitsFor) watch.setWaitingFor(waitsFor[event.kind]);
  if (event.kind === 'tool_approval') showApproval(event);
  if (event.kind === 'approval_decision') conversation.find(`approval:${event.approvalId}`)?.resolve(event);
  if (event.kind === 'ask_user') showQuestion(event);
  if (event.kind === 'ask_user_answered') conversation.find(`question:${event.askId}`)?.resolve(event);
}

const showApproval = (approval) => conversation.place(`approval:${approval.approvalId}`, () => createApprovalCard(approval, say));
const showQuestion = (question) => conversation.place(`question:${question.askId}`, () => createQuestionCard(question, say));

/** After one turn a queued one may follow at once. */
async function checkStillBusy() {
  setBusy(false);
  const status = await call('GET', '/api/status');
  if (status.chats.find((chat) => chat.chatId === openId)?.busy) setBusy(true);
}

async function readAll() {
  await call('GET', '/api/workspace/current'); // makes the first chat where there is none
  const { chats, activeChatId } = await call('GET', '/api/chats');
  const chat = chats.find((one) => one.chatId === openId) ?? chats.find((one) => one.chatId === activeChatId) ?? chats[0];
  if (chat) await openChat(chat, {});
  await chatList.read();
}

async function openChat(chat, { activate = false }) {
  openId = chat.chatId;
  chatList.setOpen(openId);
  byId('chat-title').textContent = chat.title;
  document.body.classList.remove('with-chats');
  if (activate) await call('POST', `/api/chats/${openId}/activate`, {});
  await readChat();
}

/** Transcript, what waits for a person, and whether a turn runs; then the events that came meanwhile. */
async function readChat() {
  const chatId = openId;
  const read = ++reads;
  waiting = [];
  const [page, pending, status] = await Promise.all([
    call('GET', withQuery(`/api/chats/${chatId}/transcript`, { limit: String(pageSize) })),
    call('GET', withQuery('/api/pending', { chatId })),
    call('GET', '/api/status'),
  ]);
  if (read !== reads) return; // a newer reading is under way
  isFollowing = true;
  conversation.clear();
  conversation.showEntries(page.entries);
  showCursor(page.cursor);
  pending.approvals.forEach(showApproval);
  pending.questions.forEach(showQuestion);
  const now = status.chats.find((chat) => chat.chatId === chatId);
  setBusy(now?.busy === true);
  watch.setWaitingFor(now?.waitingFor ?? '');
  const came = waiting ?? [];
  waiting = undefined;
  came.forEach(take);
}

function showCursor(next) {
  cursor = next ?? '';
  byId('older').hidden = cursor === '';
}

async function readEarlier() {
  const height = scroller.scrollHeight;
  const page = await call('GET', withQuery(`/api/chats/${openId}/transcript`, { limit: String(pageSize), before: cursor }));
  conversation.showEarlier(page.entries);
  showCursor(page.cursor);
  requestAnimationFrame(() => requestAnimationFrame(() => (scroller.scrollTop += scroller.scrollHeight - height)));
}

async function send() {
  const text = textField.value.trim();
  if (text === '') return;
  const body = { text, ...(openId === '' ? {} : { chatId: openId }), clientId: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, whenBusy: 'queue' };
  textField.value = '';
  isFollowing = true;
  try {
    const { queued } = await call('POST', '/api/message', body);
    say(queued ? 'Queued: it follows after the running turn.' : '');
    if (!queued) setBusy(true);
  } catch (fault) {
    textField.value = text;
    throw fault;
  }
}

async function undo() {
  const { restored, conflicts } = await call('POST', '/api/undo', { chatId: openId });
  const parts = [
    restored.length > 0 ? `Put back: ${restored.join(', ')}.` : 'Nothing to put back.',
    conflicts.length > 0 ? `Left alone, because they changed since: ${conflicts.join(', ')}.` : '',
  ];
  say(parts.join(' '));
}

byId('composer').addEventListener('submit', (event) => (event.preventDefault(), void attempt(send)));
textField.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void attempt(send);
});
byId('abort').addEventListener('click', () => attempt(() => call('POST', '/api/session/abort', { chatId: openId })));
byId('undo').addEventListener('click', () => attempt(undo));
byId('older').addEventListener('click', () => attempt(readEarlier));
byId('toggle-chats').addEventListener('click', (event) => {
  const isOpen = document.body.classList.toggle('with-chats');
  event.currentTarget.setAttribute('aria-expanded', String(isOpen));
});
byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  useToken(byId('token').value);
  void attempt(start);
});
scroller.addEventListener('scroll', () => (isFollowing = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < followDistance));

void start().catch((fault) => {
  if (fault.status === 401) return askForToken('');
  say(fault.message);
  stream ??= openStream({ onEvent, onState: onStreamState });
});
