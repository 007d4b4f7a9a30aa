// Shows messages about the link over the page; hidden while the link works.
import './link-notice.css';

export interface LinkNotice {
  /** Shows a text; an empty text hides the message. */
  say(text: string): void;
  /** Replaces the page permanently. */
  end(text: string): void;
  /** Shows a message if the versions differ. */
  versions(host: string, page: string): void;
}

/** Delay before a message is shown, so that short interruptions show none. */
const patienceMs = 1_200;

export function createLinkNotice(): LinkNotice {
  const line = document.createElement('p');
  line.className = 'link-notice';
  line.setAttribute('role', 'status');
  document.body.prepend(line);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lasting = '';
  const show = (text: string): void => {
    line.textContent = text === '' ? lasting : text;
  };
  return {
    say(text) {
      clearTimeout(timer);
      if (text === '' || line.textContent !== '') show(text);
      else timer = setTimeout(() => show(text), patienceMs);
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
          : `Your computer runs version ${host}, this page is of version ${page}: something may look wrong until both are the same.`;
      show(line.textContent === lasting ? lasting : '');
    },
  };
}
