// Runs in the browser of the user: shows the agent's current page while the panel is visible and a browser exists.

/** Delay in milliseconds between two pictures. */
const restMs = 1_000;
/** Delay in milliseconds for the browser to close after its turn has ended. */
const closingMs = 300;

const words = {
  none: 'The agent has no page open in this chat. When it opens one, you can watch it here.',
  closed: 'The browser was closed because the turn ended.',
  last: 'This is its last picture.',
  starting: 'The browser is starting.',
  open: 'The agent has this page open. You can watch it here, but not interact with it.',
  empty: 'No page is open in the browser.',
  away: 'The server does not respond.',
  noChat: 'There is no chat yet.',
};

const css = `
.browser-panel { display: flex; flex-direction: column; gap: var(--space-3); }
.browser-panel-tabs { display: flex; flex-wrap: wrap; gap: var(--space-2); }
.browser-panel-tabs[hidden], .browser-panel-page[hidden] { display: none; }
.browser-panel-tabs .button { flex: 0 1 auto; min-width: 0; max-width: 16rem; }
.browser-panel-tabs .button > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.browser-panel-tabs .button[aria-pressed='true'] { border-color: var(--accent); background: var(--accent-soft); }
.browser-panel-page { margin: 0; border: 1px solid var(--border); border-radius: var(--radius); overflow: hidden; background: var(--surface-sunken); }
.browser-panel-page figcaption { display: flex; flex-direction: column; padding: var(--space-2) var(--space-3); border-bottom: 1px solid var(--border); }
.browser-panel-address { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; color: var(--text-muted); }
.browser-panel-tabs .button[aria-current] > span { font-weight: 600; }
.browser-panel-page img { display: block; width: auto; height: auto; max-width: 100%; max-height: 60vh; margin: 0 auto; }
.browser-panel-page img[hidden], .browser-panel-page p[hidden] { display: none; }
.browser-panel-page[data-is-over] img { opacity: 0.6; }
.browser-panel-page p { padding: var(--space-4) var(--space-3); }
`;

/**
 * Renders the panel in `element`. Returns a function that removes it.
 *
 * @param {HTMLElement} element
 * @param {{ client: import('agent-harness/client').Client, chatId?: string }} context
 */
export function mount(element, { client, chatId }) {
  const leaveStyles = addStyles();
  const view = createView(element, watchTab);
  /** Running calls of the browser tools, during which the browser may appear. */
  const calls = new Set();
  let timer;
  let newest = 0;
  let shownChat;
  let chosenTab;
  let hadBrowser = false;

  // A page beside the chat belongs to no chat, so it follows the active one.
  const chatNow = () => chatId ?? client.chats.get().activeChatId;

  /** Loads immediately; the results of earlier loads are dropped. */
  function loadNow() {
    clearTimeout(timer);
    const look = ++newest;
    if (document.hidden) return;
    noticeChat();
    void loadOnce(shownChat, () => look === newest).then((goesOn) => {
      if (goesOn && look === newest) lookAfter(restMs);
    });
  }

  function lookAfter(ms) {
    clearTimeout(timer);
    newest++;
    timer = setTimeout(loadNow, ms);
  }

  function noticeChat() {
    const chat = chatNow();
    if (chat === shownChat) return;
    shownChat = chat;
    chosenTab = undefined;
    hadBrowser = false;
    calls.clear();
    view.clear();
  }

  /** Loads once. Returns whether another load should follow soon. */
  async function loadOnce(chat, isNewest) {
    if (chat === undefined) {
      view.say(words.noChat);
      return false;
    }
    let seen;
    try {
      seen = await client.call('GET /api/chats/:id/browser', { params: { id: chat } });
    } catch {
      if (isNewest()) view.say(words.away);
      return true;
    }
    if (!isNewest()) return false;
    const tab = seen.tabs.find(({ id }) => id === chosenTab) ?? seen.tabs.find(({ isActive }) => isActive);
    if (tab?.id !== chosenTab) chosenTab = undefined;
    view.say(sentenceFor(seen));
    view.markOver(tab === undefined);
    view.showTabs(seen.tabs, tab?.id, chosenTab);
    if (tab) await lookAtPage(chat, tab, isNewest);
    return seen.state !== 'closed' || calls.size > 0;
  }

  function sentenceFor({ state, tabs }) {
    if (state === 'closed') return hadBrowser ? `${words.closed}${view.hasPicture() ? ` ${words.last}` : ''}` : words.none;
    hadBrowser = true;
    if (state === 'starting') return words.starting;
    return tabs.length === 0 ? words.empty : words.open;
  }

  async function lookAtPage(chat, tab, isNewest) {
    view.showPage(tab);
    try {
      const picture = await client.bytes(`/api/chats/${encodeURIComponent(chat)}/browser/${encodeURIComponent(tab.id)}/picture`);
      if (isNewest()) await view.showPicture(picture, isNewest);
    } catch {
      // Either the tab is gone, and the next list omits it, or the tab is busy, and the next picture may arrive.
      if (isNewest()) view.missPicture();
    }
  }

  /** @param {string | undefined} id id of a tab; left out: the tab used by the agent */
  function watchTab(id) {
    chosenTab = id;
    loadNow();
  }

  client.on((event) => {
    if (event.kind === 'chat_switched' && chatId === undefined) loadNow();
    if (event.chatId !== chatNow()) return;
    const isOfBrowser = typeof event.name === 'string' && event.name.startsWith('browser_');
    if (event.kind === 'tool_start' && isOfBrowser && event.args !== undefined) calls.add(event.callId);
    if (event.kind === 'tool_result') calls.delete(event.callId);
    if (event.kind === 'turn_start' || event.kind === 'turn_end') calls.clear();
    if (isOfBrowser) loadNow();
    if (event.kind === 'turn_end') lookAfter(closingMs);
  });
  const leaveChats = client.chats.subscribe(() => {
    if (chatNow() !== shownChat) loadNow();
  });
  let stream = client.connection.get().stream;
  const leaveConnection = client.connection.subscribe(() => {
    const before = stream;
    stream = client.connection.get().stream;
    if (stream === 'open' && before !== 'open') loadNow();
  });
  document.addEventListener('visibilitychange', loadNow);
  loadNow();

  return () => {
    newest++;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', loadNow);
    leaveChats();
    leaveConnection();
    view.clear();
    leaveStyles();
  };
}

/** Creates the rendered view. @param {(id: string | undefined) => void} onChoose called when the user selects a tab */
function createView(element, onChoose) {
  const root = add(element, 'div', 'browser-panel');
  const state = add(root, 'p');
  state.setAttribute('role', 'status');
  const tabs = add(root, 'div', 'browser-panel-tabs');
  tabs.setAttribute('role', 'group');
  tabs.setAttribute('aria-label', 'Displayed page');
  const page = add(root, 'figure', 'browser-panel-page');
  // Content taller than the window must be reachable by keyboard too.
  page.tabIndex = 0;
  const caption = add(page, 'figcaption');
  const title = add(caption, 'strong');
  const address = add(caption, 'span', 'browser-panel-address small');
  const picture = add(page, 'img');
  const missing = add(page, 'p', 'muted');
  const follow = createButton(() => onChoose(undefined));
  write(follow.firstChild, 'Follow the agent');
  const buttons = new Map();
  let shownTab;

  function dropPicture() {
    if (picture.src !== '') URL.revokeObjectURL(picture.src);
    picture.removeAttribute('src');
    picture.hidden = true;
    write(missing, '');
    missing.hidden = true;
  }

  function clear() {
    dropPicture();
    page.hidden = true;
    tabs.hidden = true;
    shownTab = undefined;
  }

  /** Returns the button of a tab; an existing button keeps its position and its focus. */
  function buttonFor(id) {
    const button = buttons.get(id) ?? createButton(() => onChoose(id));
    buttons.set(id, button);
    if (button.parentElement !== tabs) tabs.append(button);
    return button;
  }

  clear();
  return {
    clear,
    say: (sentence) => write(state, sentence),
    hasPicture: () => !picture.hidden,
    /** Marks the displayed page as closed. */
    markOver: (isOver) => void page.toggleAttribute('data-is-over', isOver),
    /** Shows the tabs; without any, the last page stays visible. */
    showTabs(open, shownId, chosenId) {
      tabs.hidden = open.length < 2;
      if (follow.parentElement !== tabs) tabs.prepend(follow);
      follow.setAttribute('aria-pressed', String(chosenId === undefined));
      for (const [id, button] of buttons) {
        if (open.some((tab) => tab.id === id)) continue;
        button.remove();
        buttons.delete(id);
      }
      for (const tab of open) {
        const button = buttonFor(tab.id);
        write(button.firstChild, nameOf(tab));
        button.setAttribute('aria-pressed', String(tab.id === chosenId));
        if (tab.id === shownId) button.setAttribute('aria-current', 'true');
        else button.removeAttribute('aria-current');
      }
    },
    showPage(tab) {
      if (tab.id !== shownTab) dropPicture();
      shownTab = tab.id;
      page.hidden = false;
      write(title, nameOf(tab));
      write(address, tab.url);
      const words = `Picture of the page “${nameOf(tab)}”`;
      if (picture.alt !== words) picture.alt = words;
    },
    /** Shows a picture. Resolves when it is visible; rejects if the bytes are not a picture. */
    async showPicture(bytes, isNewest) {
      const next = URL.createObjectURL(bytes);
      const reader = new Image();
      reader.src = next;
      try {
        await reader.decode();
        if (!isNewest()) throw new Error('another picture is already shown');
      } catch (fault) {
        URL.revokeObjectURL(next);
        throw fault;
      }
      dropPicture();
      picture.width = reader.naturalWidth;
      picture.height = reader.naturalHeight;
      picture.src = next;
      picture.hidden = false;
    },
    missPicture() {
      if (!picture.hidden) return;
      missing.hidden = false;
      write(missing, 'There is no picture of this page yet; it may be busy.');
    },
  };
}

function nameOf({ title, url }) {
  return title.trim() || url;
}

function createButton(onClick) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.append(document.createElement('span'));
  button.addEventListener('click', onClick);
  return button;
}

function addStyles() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}

function add(parent, tag, className = '') {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  parent.append(made);
  return made;
}

/** Inserts text as text, never as markup; unchanged text is not announced again by screen readers. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
