/** A coin with an f on it. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<circle cx="16" cy="16" r="15" fill="#0f766e"/>
<circle cx="16" cy="16" r="11.5" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="1.2"/>
<path d="M19.8 9.6c-3.3-.9-5 .6-5 3.4V23M12 15.4h6.6" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>
</svg>
`;
