// Shows messages about the connection of a remotely paired device over the page; hidden while the connection works.
import './link-notice.css';

export interface LinkNotice {
  /** Shows a text; an empty string hides the message. */
  show(text: string): void;
  /** Replaces the page with a text permanently. */
  end(text: string): void;
  /** Shows a message if the versions differ. */
  versions(host: string, page: string): void;
}

/** Delay in milliseconds before a message is shown, to hide short interruptions. */
const delayMs = 1_200;

export function createLinkNotice(): LinkNotice {
  const line = document.createElement('p');
  line.className = 'link-notice';
  line.setAttribute('role', 'status');
  document.body.prepend(line);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lasting = '';
  const setText = (text: string): void => {
    line.textContent = text === '' ? lasting : text;
  };
  return {
    show(text) {
      clearTimeout(timer);
      if (text === '' || line.textContent !== '') setText(text);
      else timer = setTimeout(() => setText(text), delayMs);
    },
    end(text) {
      clearTimeout(timer);
      const words = document.createElement('p');
      words.textContent = text;
      const title = document.createElement('h1');
      title.textContent = document.title;
      const whole = document.createElement('main');
      whole.className = 'link-end';
      whole.append(title, words);
      document.body.replaceChildren(whole);
    },
    versions(host, page) {
      lasting =
        host === page || page === ''
          ? ''
          : `Your computer runs version ${host}, and this page has version ${page}. Some parts may not work until both versions are the same.`;
      setText(line.textContent === lasting ? lasting : '');
    },
  };
}
