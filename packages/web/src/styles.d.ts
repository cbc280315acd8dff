/** Style sheets, which the bundler turns into the page's style. */
declare module '*.css'
