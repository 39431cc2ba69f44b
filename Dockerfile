# The server of a content folder, which is mounted at /site. Accounts and keys are in /state: both must be kept.
#
#     docker build -t markdown-rest-cms .
#     docker run -p 4180:4180 -v "$PWD/my-site:/site" -v cms-state:/state markdown-rest-cms

FROM node:22-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY build ./build
COPY editor ./editor
COPY src ./src
COPY bin ./bin
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

# About 170 MB: Alpine 8, Node with all languages and time zones 95, git 15, the image library 20, other packages 21, the program 5.
FROM alpine:3.22
RUN apk add --no-cache nodejs icu-data-full tzdata git tini \
 && addgroup -S -g 10001 cms && adduser -S -D -H -u 10001 -G cms cms \
 && mkdir -p /site /state && chown cms:cms /site /state && chmod 700 /state
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
ENV NODE_ENV=production CMS_HOST=0.0.0.0 CMS_PORT=4180 CMS_STATE_DIR=/state CMS_LOG=writes
USER cms
VOLUME ["/site", "/state"]
EXPOSE 4180
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:4180/healthz"]
ENTRYPOINT ["tini", "--", "node", "bin/cms.js"]
CMD ["serve", "/site"]
