// Runs in the browser: fills its element, follows events, and returns a cleanup function.

const shownTools = 10;
const words = { model: 'the model', tool: 'a tool', approval: 'your approval', answer: 'your answer', retry: 'another try' };

export function mount(element, { client, chatId }) {
  // A page outside a chat has no `chatId`, so it follows the active chat.
  const chatNow = () => chatId ?? client.chats.get().activeChatId;
  const facts = { state: add(element, 'p'), tokens: add(element, 'p') };
  facts.state.setAttribute('role', 'status');
  add(element, 'h2', 'Last tools');
  const list = add(element, 'ol');
  const empty = add(element, 'p', 'No tool has run yet.');
  empty.className = 'muted';
  let asked = 0;

  function showState({ busy, waitingFor }) {
    facts.state.textContent = busy ? `Working: waits for ${words[waitingFor] ?? waitingFor ?? 'its turn'}.` : 'Idle.';
  }

  function showTokens({ input, output, calls, cost }) {
    facts.tokens.textContent = `${input + output} tokens in ${calls} model calls (${input} in, ${output} out)${cost > 0 ? `, $${cost.toFixed(4)}` : ''}.`;
  }

  function showTool({ name, ok, durationMs }) {
    const item = document.createElement('li');
    item.textContent = `${name}: ${ok ? 'done' : 'failed'} after ${(durationMs / 1000).toFixed(1)} s`;
    list.prepend(item);
    while (list.children.length > shownTools) list.lastElementChild.remove();
    empty.hidden = true;
  }

  async function read() {
    const chat = chatNow();
    const turn = ++asked;
    if (chat === undefined) {
      showState({ busy: false });
      return;
    }
    const [status, usage] = await Promise.all([client.call('GET /api/status'), client.call('GET /api/usage', { query: { chatId: chat } })]);
    if (turn !== asked) return; // a newer request is in progress
    showState(status.chats.find((one) => one.chatId === chat) ?? { busy: false });
    showTokens(usage.totals);
  }

  // The server may be unavailable for a moment; the next event triggers another request.
  const refresh = () => void read().catch(() => (facts.state.textContent = 'The server does not answer.'));

  client.on((event) => {
    if (event.kind === 'chat_switched' && chatId === undefined) {
      list.replaceChildren();
      empty.hidden = false;
      refresh();
    }
    if (event.chatId !== chatNow()) return;
    if (event.kind === 'tool_result') showTool(event);
    if (['turn_start', 'tool_start', 'tool_result', 'usage', 'turn_end'].includes(event.kind)) refresh();
  });
  const leaveChats = client.chats.subscribe(refreshOnOtherChat());
  refresh();
  return leaveChats; // listeners added with `client.on` are removed automatically

  function refreshOnOtherChat() {
    let known = chatNow();
    return () => {
      if (chatNow() === known) return;
      known = chatNow();
      refresh();
    };
  }
}

/** Inserts text as text, never as markup. */
function add(parent, tag, text = '') {
  const made = document.createElement(tag);
  made.textContent = text;
  parent.append(made);
  return made;
}
